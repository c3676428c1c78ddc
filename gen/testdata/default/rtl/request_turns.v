// request_turns decides which requests of the peer may start (RFC 7306 section 7, RFC 5040 section 5.5). Requests of
// one stream start in order of arrival. A request of another kind than the one before it starts when all earlier
// requests of its stream are over; so does the end of the stream, and a request that drops others that were never
// released. Requests of one kind follow each other without waiting. Streams do not wait for each other.
//
// A stream has requests that wait for their turn in its own slots. As long as it has any, it has one token, which is in
// one of these places: a list of streams that may have a turn, the pipeline that grants turns, or parked until the last
// request of the stream in progress is over. A turn covers one request, or all requests that wait if they are of
// one kind. A request that need not wait, of a stream without a token, gets its turn at once.
//
// Items arrive, turns are granted, and requests end at one per cycle each. After reset every stream is cleared, one per
// cycle; nothing is accepted meanwhile.
//
// Built for streams 64, ird 8, atomic_depth 512.
`default_nettype none
module request_turns (
    input  wire       clk,
    input  wire       rst, // synchronous, active high

    // arrive
    input  wire       arrive_valid,
    output wire       arrive_ready,
    input  wire [5:0] arrive_stream,   // number of the stream
    input  wire [1:0] arrive_kind,     // 0 the end of the stream, 1 its silent end; then the executors, from 2 on
    input  wire       arrive_waits,    // 1: the request stays until a later item of its stream releases it
    input  wire       arrive_first,    // 1: no other waits that may still be released
    input  wire       arrive_releases, // 1: no request, all waiting requests of the stream may go on

    output wire       store, // the item that arrived in the previous cycle is a request, or the end of its stream
    output wire [3:0] slot,  // its slot

    // over
    input  wire       over_valid,
    output wire       over_ready,
    input  wire [5:0] over_stream, // number of the stream

    // read
    output wire       read_valid,
    input  wire       read_ready,
    output wire [5:0] read_stream, // number of the stream
    output wire [3:0] read_slot,   // of the first request
    output wire       read_only,   // 1: there is no other
    output wire [3:0] read_more,   // requests after the first one

    // atomic
    output wire       atomic_valid,
    input  wire       atomic_ready,
    output wire [5:0] atomic_stream, // number of the stream
    output wire [3:0] atomic_slot,   // of the first request
    output wire       atomic_only,   // 1: there is no other
    output wire [3:0] atomic_more,   // requests after the first one

    // end
    output wire       end_valid,
    input  wire       end_ready,
    output wire [5:0] end_stream, // number of the stream
    output wire [3:0] end_slot,   // of the first request
    output wire       end_only,   // 1: there is no other
    output wire [3:0] end_more    // requests after the first one
);
    reg [5:0] sweep_q;
    reg       swept_q;

    always @(posedge clk) begin
        if (~swept_q) begin
            sweep_q <= sweep_q + 6'd1;
            if (&sweep_q) begin
                swept_q <= 1'b1;
            end
        end
        if (rst) begin
            sweep_q <= 6'd0;
            swept_q <= 1'b0;
        end
    end

    localparam [1:0] REQUEST_END    = 2'd0;
    localparam [1:0] REQUEST_CLOSE  = 2'd1;
    localparam [1:0] REQUEST_READ   = 2'd2;
    localparam [1:0] REQUEST_ATOMIC = 2'd3;
    reg  [47:0] arrived [0:63];
    reg  [11:0] granted [0:63];
    reg  [11:0] parking [0:63];
    reg  [11:0] ended [0:63];
    reg  [2:0]  kinds [0:1023];
    wire        new_valid;
    wire        new_ready;
    wire [5:0]  new_stream;
    wire        again_valid;
    wire        again_ready;
    wire [5:0]  again_stream;
    wire        woken_valid;
    wire        woken_ready;
    wire [5:0]  woken_stream;
    wire        passed_valid;
    wire        passed_ready;
    wire [5:0]  passed_stream;
    wire        new_park_valid;
    wire        new_park_ready;
    wire [5:0]  new_park_stream;
    wire [10:0] new_park_issued;
    wire        granted_park_valid;
    wire        granted_park_ready;
    wire [5:0]  granted_park_stream;
    wire [10:0] granted_park_issued;
    wire        read_grant_valid;
    wire        read_grant_ready;
    wire [5:0]  read_grant_stream;
    wire [3:0]  read_grant_slot;
    wire        read_grant_only;
    wire [3:0]  read_grant_more;
    wire        atomic_grant_valid;
    wire        atomic_grant_ready;
    wire [5:0]  atomic_grant_stream;
    wire [3:0]  atomic_grant_slot;
    wire        atomic_grant_only;
    wire [3:0]  atomic_grant_more;
    wire        end_grant_valid;
    wire        end_grant_ready;
    wire [5:0]  end_grant_stream;
    wire [3:0]  end_grant_slot;
    wire        end_grant_only;
    wire [3:0]  end_grant_more;
    reg  [2:0]  granting_q;
    assign arrive_ready = swept_q;
    assign over_ready   = swept_q;
    wire        arrives = arrive_valid & swept_q;

    // ---- Arrive: count the item; it has its turn, or its stream a token
    reg       item_valid_q;
    reg [5:0] item_stream_q;
    reg [1:0] item_kind_q;
    reg       item_waits_q;
    reg       item_first_q;
    reg       item_releases_q;

    // What is read does not wait for whether an item arrives.
    always @(posedge clk) begin
        item_valid_q    <= arrives;
        item_stream_q   <= arrive_stream;
        item_kind_q     <= arrive_kind;
        item_waits_q    <= arrive_waits;
        item_first_q    <= arrive_first;
        item_releases_q <= arrive_releases;
        if (rst) begin
            item_valid_q <= 1'b0;
        end
    end

    reg  [47:0] arrived_update_q;
    reg  [47:0] arrived_written_q;
    reg         arrived_update_valid_q;
    reg  [5:0]  arrived_update_stream_q;
    wire        write_arrived = ~swept_q | arrived_update_valid_q;
    wire [5:0]  arrived_row   = ~swept_q ? sweep_q : arrived_update_stream_q;
    wire [47:0] arrived_word  = ~swept_q ? 48'd0 : arrived_update_q;

    always @(posedge clk) begin
        arrived_update_valid_q  <= item_valid_q;
        arrived_update_stream_q <= item_stream_q;
        arrived_written_q       <= arrived_word;
        if (rst) begin
            arrived_update_valid_q <= 1'b0;
        end
    end

    reg arrived_is_decided_q;
    reg arrived_is_written_q;

    always @(posedge clk) begin
        arrived_is_decided_q <= item_valid_q & (item_stream_q == arrive_stream);
        arrived_is_written_q <= write_arrived & (arrived_row == arrive_stream);
    end

    reg  [47:0] arrived_stored_q;
    wire [47:0] arrived_now =
        arrived_is_decided_q ? arrived_update_q :
        arrived_is_written_q ? arrived_written_q :
                               arrived_stored_q;
    reg         arrived_is_not_decided_q;
    reg         arrived_is_not_written_q;

    always @(posedge clk) begin
        arrived_is_not_decided_q <= ~(item_valid_q & (item_stream_q == arrive_stream));
        arrived_is_not_written_q <= ~(write_arrived & (arrived_row == arrive_stream));
    end

    wire [10:0] had_came    = arrived_now[47:37];
    wire [10:0] had_direct  = arrived_now[36:26];
    wire [10:0] had_waiting = arrived_now[25:15];
    wire [1:0]  had_kind    = arrived_now[14:13];
    wire [10:0] had_run     = arrived_now[12:2];
    wire        had_begins  = arrived_now[1];
    wire        had_created = arrived_now[0];
    reg  [11:0] had_granted_old_q;
    reg  [11:0] had_granted_new_q;
    reg         had_granted_is_new_q;
    wire [11:0] had_granted = had_granted_is_new_q ? had_granted_new_q : had_granted_old_q;
    reg  [11:0] had_ended_q;
    wire stores = ~item_releases_q;
    // What the item wants is known as it arrives. Requests that were never released are dropped by the first item that
    // does not
    // wait with them.
    reg [2:0] wants_turn_q;
    reg       drops_waiting_q;
    reg       may_start_q;

    always @(posedge clk) begin
        wants_turn_q    <= {
            (arrive_kind == REQUEST_END) | (arrive_kind == REQUEST_CLOSE), arrive_kind == REQUEST_ATOMIC,
            arrive_kind == REQUEST_READ
        };
        drops_waiting_q <= ~arrive_releases & (~arrive_waits | arrive_first);
        may_start_q     <= ~arrive_releases & ~arrive_waits;
    end

    wire [10:0] waiting = had_waiting & {11{~drops_waiting_q}};
    // What decides is tested on both words between which the choice is.
    wire has_token =
        ~arrived_is_not_decided_q ? (arrived_update_q[0] ^ had_granted[0]) :
        ~arrived_is_not_written_q ? (arrived_written_q[0] ^ had_granted[0]) :
                                    (arrived_stored_q[0] ^ had_granted[0]);
    // Without a token, all that came had its turn. What ends just now may count late, and what came just now is not
    // over.
    reg settled_has_changed_q;

    always @(posedge clk) begin
        settled_has_changed_q <=
              (item_valid_q & (item_stream_q == arrive_stream))
            | (arrived_update_valid_q & (arrived_update_stream_q == arrive_stream));
    end

    reg [47:0] settled_q;
    wire is_idle = ~settled_has_changed_q & (had_ended_q[11:1] == settled_q[47:37]);
    // The latest request may be among those dropped: what drops any waits for all before it, and begins a run.
    wire follows_another =
        ~arrived_is_not_decided_q ? (
                                          (item_kind_q != arrived_update_q[14:13])
                                        | (drops_waiting_q & (|arrived_update_q[25:15]))
                                    ) :
        ~arrived_is_not_written_q ? (
                                          (item_kind_q != arrived_written_q[14:13])
                                        | (drops_waiting_q & (|arrived_written_q[25:15]))
                                    ) :
                                    (
                                          (item_kind_q != arrived_stored_q[14:13])
                                        | (drops_waiting_q & (|arrived_stored_q[25:15]))
                                    );
    wire differs         = wants_turn_q[2] | follows_another;
    // One turn of a kind is stored per cycle; that of a token goes first.
    wire       turn_is_taken  = |(wants_turn_q & granting_q);
    wire       starts_at_once = may_start_q & ~has_token & ~turn_is_taken & (~differs | is_idle);
    wire       queues         = stores ? (~item_waits_q & ~starts_at_once) : (|had_waiting);
    wire       creates_token  = item_valid_q & queues & ~has_token;
    wire       parks_new      = creates_token & stores & differs & ~is_idle;
    wire [3:0] item_slot      =
        ~arrived_is_not_decided_q ? (
                                          arrived_update_q[40:37]
                                        + (arrived_update_q[18:15] & {4{~drops_waiting_q}})
                                    ) :
        ~arrived_is_not_written_q ? (
                                          arrived_written_q[40:37]
                                        + (arrived_written_q[18:15] & {4{~drops_waiting_q}})
                                    ) :
                                    (
                                          arrived_stored_q[40:37]
                                        + (arrived_stored_q[18:15] & {4{~drops_waiting_q}})
                                    );

    // A run begins where the kind changes, or with what finds nothing before it.
    wire        begins_run    = stores & (differs | ~(has_token | (|had_waiting)));
    wire [10:0] stored_before = had_came + waiting;

    always @(posedge clk) begin
        arrived_update_q <= {
            had_came + (stores ? {10'd0, may_start_q} : had_waiting), had_direct + {10'd0, starts_at_once},
            stores ? (waiting + {10'd0, item_waits_q}) : 11'd0, stores ? item_kind_q : had_kind,
            begins_run ? stored_before : had_run, stores & (begins_run ? item_waits_q : had_begins),
            had_created ^ creates_token
        };
    end

    wire       stores_item = item_valid_q & stores;
    assign store = stores_item;
    assign slot  = item_slot;
    reg        new_push_q;
    reg  [5:0] new_stream_q;

    always @(posedge clk) begin
        new_push_q   <= creates_token & ~parks_new;
        new_stream_q <= item_stream_q;
        if (rst) begin
            new_push_q <= 1'b0;
        end
    end

    assign new_valid  = new_push_q;
    assign new_stream = new_stream_q;
    reg        new_parks_q;
    reg [5:0]  new_parked_stream_q;
    reg [10:0] new_parked_issued_q;

    always @(posedge clk) begin
        new_parks_q         <= parks_new;
        new_parked_stream_q <= item_stream_q;
        new_parked_issued_q <= had_came;
        if (rst) begin
            new_parks_q <= 1'b0;
        end
    end

    assign new_park_valid  = new_parks_q;
    assign new_park_stream = new_parked_stream_q;
    assign new_park_issued = new_parked_issued_q;

    // ---- Whose turn is next: streams with a new token, again, woken, not parked after all
    wire       new_first_valid;
    wire       new_first_ready;
    wire [5:0] new_first_stream;
    wire [5:0] new_list_out;
    assign new_first_stream = new_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) new_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (new_valid),
        .in_ready  (new_ready),
        .in_data   (new_stream),
        .out_valid (new_first_valid),
        .out_ready (new_first_ready),
        .out_data  (new_list_out)
    );

    wire       again_first_valid;
    wire       again_first_ready;
    wire [5:0] again_first_stream;
    wire [5:0] again_list_out;
    assign again_first_stream = again_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) again_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (again_valid),
        .in_ready  (again_ready),
        .in_data   (again_stream),
        .out_valid (again_first_valid),
        .out_ready (again_first_ready),
        .out_data  (again_list_out)
    );

    wire       woken_first_valid;
    wire       woken_first_ready;
    wire [5:0] woken_first_stream;
    wire [5:0] woken_list_out;
    assign woken_first_stream = woken_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) woken_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (woken_valid),
        .in_ready  (woken_ready),
        .in_data   (woken_stream),
        .out_valid (woken_first_valid),
        .out_ready (woken_first_ready),
        .out_data  (woken_list_out)
    );

    wire       passed_first_valid;
    wire       passed_first_ready;
    wire [5:0] passed_first_stream;
    wire [5:0] passed_list_out;
    assign passed_first_stream = passed_list_out;

    fifo #(.WIDTH(6), .DEPTH(64)) passed_list (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (passed_valid),
        .in_ready  (passed_ready),
        .in_data   (passed_stream),
        .out_valid (passed_first_valid),
        .out_ready (passed_first_ready),
        .out_data  (passed_list_out)
    );

    reg  [3:0] list_turn_q;
    wire [3:0] list_asking     = {passed_first_valid, woken_first_valid, again_first_valid, new_first_valid};
    wire [3:0] list_behind     = list_asking & {|list_turn_q[2:0], |list_turn_q[1:0], list_turn_q[0], 1'b0};
    wire [3:0] list_candidates = (|list_behind) ? list_behind : list_asking;
    wire [3:0] list_granted    = list_asking & list_turn_q;

    always @(posedge clk) begin
        if (|list_asking) begin
            list_turn_q <=
                list_candidates & ~{|list_candidates[2:0], |list_candidates[1:0], list_candidates[0], 1'b0};
        end
        if (rst) begin
            list_turn_q <= 4'd1;
        end
    end

    assign new_first_ready    = list_turn_q[0];
    assign again_first_ready  = list_turn_q[1];
    assign woken_first_ready  = list_turn_q[2];
    assign passed_first_ready = list_turn_q[3];
    reg       next_valid_q;
    reg [5:0] next_stream_q;

    always @(posedge clk) begin
        next_valid_q  <= |list_granted;
        next_stream_q <=
              6'd0
            | (new_first_stream & {6{list_turn_q[0]}})
            | (again_first_stream & {6{list_turn_q[1]}})
            | (woken_first_stream & {6{list_turn_q[2]}})
            | (passed_first_stream & {6{list_turn_q[3]}});
        if (rst) begin
            next_valid_q <= 1'b0;
        end
    end

    // ---- Grant: what the stream has had, and what waits
    reg       looking_q;
    reg       counting_q;
    reg       reading_q;
    reg       deciding_q;
    reg [5:0] looked_stream_q;

    always @(posedge clk) begin
        looking_q       <= next_valid_q;
        counting_q      <= looking_q;
        reading_q       <= counting_q;
        deciding_q      <= reading_q;
        looked_stream_q <= next_stream_q;
        if (rst) begin
            looking_q  <= 1'b0;
            counting_q <= 1'b0;
            reading_q  <= 1'b0;
            deciding_q <= 1'b0;
        end
    end

    reg  [47:0] has_old_q;
    reg  [47:0] has_new_q;
    reg         has_is_new_q;
    wire [47:0] has = has_is_new_q ? has_new_q : has_old_q;

    always @(posedge clk) begin
        if (write_arrived) begin
            arrived[arrived_row] <= arrived_word;
        end
        arrived_stored_q <= arrived[arrive_stream];
        settled_q <= arrived[arrive_stream];
        if (next_valid_q) begin
            has_old_q <= arrived[next_stream_q];
        end
    end

    always @(posedge clk) begin
        if (next_valid_q) begin
            has_is_new_q <= write_arrived & (arrived_row == next_stream_q);
            has_new_q    <= arrived_word;
        end
    end

    // As long as the latest run has only requests that wait, what may have its turn is of earlier ones.
    wire [10:0] run_now     = has[1] ? has[47:37] : has[12:2];
    reg  [11:0] was_granted_old_q;
    reg  [11:0] was_granted_new_q;
    reg         was_granted_is_new_q;
    wire [11:0] was_granted = was_granted_is_new_q ? was_granted_new_q : was_granted_old_q;
    reg  [11:0] has_ended_q;
    // What arrives meanwhile may be missing in what was read: the token is kept.
    reg  [5:0]  counted_stream_q;
    reg  [10:0] counted_came_q;
    reg  [10:0] counted_issued_q;
    reg  [10:0] counted_over_q;
    reg  [10:0] counted_run_q;
    reg  [10:0] counted_gone_q;
    reg         counted_retired_q;
    reg         counted_arrived_q;
    reg         arrived_meanwhile_q;
    reg  [2:0]  first_kind_q;
    wire [3:0]  second_slot = counted_issued_q[3:0] + 4'd1;
    reg  [2:0]  second_kind_q;

    wire [9:0] kinds_write_addr = {item_stream_q, item_slot};
    wire [9:0] first_kind_addr  = {counted_stream_q, counted_issued_q[3:0]};
    wire [9:0] second_kind_addr = {counted_stream_q, second_slot};
    always @(posedge clk) begin
        if (stores_item) begin
            kinds[kinds_write_addr] <= {item_kind_q, differs};
        end
        if (counting_q) begin
            first_kind_q <= kinds[first_kind_addr];
        end
        if (counting_q) begin
            second_kind_q <= kinds[second_kind_addr];
        end
    end

    wire [10:0] queued_now = counted_came_q - counted_issued_q;
    reg  [5:0]  at_stream_q;
    reg  [10:0] at_issued_q;
    reg  [10:0] at_gone_q;
    reg         at_retired_q;
    reg  [10:0] at_waits_q;
    reg  [10:0] at_since_q;
    reg         at_idle_q;
    reg         at_arrived_q;
    reg  [5:0]  token_stream_q;
    reg  [10:0] token_issued_q;
    reg  [10:0] token_gone_q;
    reg         token_retired_q;
    reg  [10:0] token_waits_q;
    reg         token_one_run_q;
    reg         token_some_q;
    reg         token_one_q;
    reg         token_idle_q;
    reg         token_arrived_q;
    reg  [1:0]  token_kind_q;
    reg         token_differs_q;
    reg         token_next_differs_q;

    always @(posedge clk) begin
        arrived_meanwhile_q  <= item_valid_q & (item_stream_q == next_stream_q);
        counted_stream_q     <= looked_stream_q;
        counted_came_q       <= has[47:37];
        counted_issued_q     <= has[36:26] + was_granted[11:1];
        counted_over_q       <= has_ended_q[11:1];
        counted_run_q        <= run_now;
        counted_gone_q       <= was_granted[11:1];
        counted_retired_q    <= was_granted[0];
        counted_arrived_q    <= arrived_meanwhile_q | (item_valid_q & (item_stream_q == looked_stream_q));
        at_stream_q          <= counted_stream_q;
        at_issued_q          <= counted_issued_q;
        at_gone_q            <= counted_gone_q;
        at_retired_q         <= counted_retired_q;
        at_waits_q           <= queued_now;
        at_since_q           <= counted_came_q - counted_run_q;
        at_idle_q            <= counted_over_q == counted_issued_q;
        at_arrived_q         <= counted_arrived_q | (item_valid_q & (item_stream_q == counted_stream_q));
        token_stream_q       <= at_stream_q;
        token_issued_q       <= at_issued_q;
        token_gone_q         <= at_gone_q;
        token_retired_q      <= at_retired_q;
        token_waits_q        <= at_waits_q;
        token_one_run_q      <= at_waits_q <= at_since_q;
        token_some_q         <= |at_waits_q;
        token_one_q          <= at_waits_q == 11'd1;
        token_idle_q         <= at_idle_q;
        token_arrived_q      <= at_arrived_q | (item_valid_q & (item_stream_q == at_stream_q));
        token_kind_q         <= first_kind_q[2:1];
        token_differs_q      <= first_kind_q[0];
        token_next_differs_q <= second_kind_q[0];
    end

    // ---- Decide: one request, or all of the run if no other waits; then again, to be parked, or no token any more
    wire        may_start     = token_some_q & (~token_differs_q | token_idle_q);
    wire        leaves_some   = token_some_q & ~(may_start & (token_one_run_q | token_one_q));
    wire        parks         = leaves_some & (~may_start | token_next_differs_q);
    wire        arrives_last  = item_valid_q & (item_stream_q == token_stream_q);
    wire        goes_again    = ~parks & (leaves_some | token_arrived_q | arrives_last);
    wire [10:0] given         = (token_one_run_q ? token_waits_q : 11'd1) & {11{may_start}};
    wire        write_granted = ~swept_q | deciding_q;
    wire [5:0]  granted_row   = ~swept_q ? sweep_q : token_stream_q;
    wire [11:0] granted_word  =
        ~swept_q ? 12'd0 : {token_gone_q + given, token_retired_q ^ ~(parks | goes_again)};

    always @(posedge clk) begin
        if (write_granted) begin
            granted[granted_row] <= granted_word;
        end
        had_granted_old_q <= granted[arrive_stream];
        if (next_valid_q) begin
            was_granted_old_q <= granted[next_stream_q];
        end
    end

    always @(posedge clk) begin
        had_granted_is_new_q <= write_granted & (granted_row == arrive_stream);
        had_granted_new_q    <= granted_word;
        if (next_valid_q) begin
            was_granted_is_new_q <= write_granted & (granted_row == next_stream_q);
            was_granted_new_q    <= granted_word;
        end
    end

    reg       again_push_q;
    reg [5:0] again_stream_q;

    always @(posedge clk) begin
        again_push_q   <= deciding_q & goes_again;
        again_stream_q <= token_stream_q;
        if (rst) begin
            again_push_q <= 1'b0;
        end
    end

    assign again_valid  = again_push_q;
    assign again_stream = again_stream_q;
    reg        granted_parks_q;
    reg [5:0]  granted_parked_stream_q;
    reg [10:0] granted_parked_issued_q;

    always @(posedge clk) begin
        granted_parks_q         <= deciding_q & parks;
        granted_parked_stream_q <= token_stream_q;
        granted_parked_issued_q <= token_issued_q + given;
        if (rst) begin
            granted_parks_q <= 1'b0;
        end
    end

    assign granted_park_valid  = granted_parks_q;
    assign granted_park_stream = granted_parked_stream_q;
    assign granted_park_issued = granted_parked_issued_q;
    reg  [5:0] granted_stream_q;
    reg  [3:0] granted_slot_q;
    reg        granted_only_q;
    reg  [3:0] granted_more_q;
    wire [3:0] more_given = given[3:0] - 4'd1;

    always @(posedge clk) begin
        granting_q       <=
              {
                  (token_kind_q == REQUEST_END) | (token_kind_q == REQUEST_CLOSE),
                  token_kind_q == REQUEST_ATOMIC, token_kind_q == REQUEST_READ
              }
            & {3{deciding_q & may_start}};
        granted_stream_q <= token_stream_q;
        granted_slot_q   <= token_issued_q[3:0];
        granted_only_q   <= given == 11'd1;
        granted_more_q   <= more_given;
        if (rst) begin
            granting_q <= 3'd0;
        end
    end

    wire ends = over_valid & swept_q;

    // ---- Park a token, unless all is over by now
    wire        new_to_park_valid;
    wire        new_to_park_ready;
    wire [5:0]  new_to_park_stream;
    wire [10:0] new_to_park_issued;
    wire [16:0] new_parks_out;
    assign new_to_park_stream = new_parks_out[16:11];
    assign new_to_park_issued = new_parks_out[10:0];

    fifo #(.WIDTH(17), .DEPTH(64)) new_parks (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (new_park_valid),
        .in_ready  (new_park_ready),
        .in_data   ({new_park_stream, new_park_issued}),
        .out_valid (new_to_park_valid),
        .out_ready (new_to_park_ready),
        .out_data  (new_parks_out)
    );

    wire        granted_to_park_valid;
    wire        granted_to_park_ready;
    wire [5:0]  granted_to_park_stream;
    wire [10:0] granted_to_park_issued;
    wire [16:0] granted_parks_out;
    assign granted_to_park_stream = granted_parks_out[16:11];
    assign granted_to_park_issued = granted_parks_out[10:0];

    fifo #(.WIDTH(17), .DEPTH(64)) granted_parks (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (granted_park_valid),
        .in_ready  (granted_park_ready),
        .in_data   ({granted_park_stream, granted_park_issued}),
        .out_valid (granted_to_park_valid),
        .out_ready (granted_to_park_ready),
        .out_data  (granted_parks_out)
    );

    reg  [1:0] park_turn_q;
    wire [1:0] park_asking     = {granted_to_park_valid, new_to_park_valid};
    wire [1:0] park_behind     = park_asking & {park_turn_q[0], 1'b0};
    wire [1:0] park_candidates = (|park_behind) ? park_behind : park_asking;
    wire [1:0] park_granted    = park_asking & park_turn_q;

    always @(posedge clk) begin
        if (|park_asking) begin
            park_turn_q <= park_candidates & ~{park_candidates[0], 1'b0};
        end
        if (rst) begin
            park_turn_q <= 2'd1;
        end
    end

    assign new_to_park_ready     = park_turn_q[0];
    assign granted_to_park_ready = park_turn_q[1];
    wire [5:0]  parked_stream = park_turn_q[0] ? new_to_park_stream : granted_to_park_stream;
    wire        parks_now     = |park_granted;
    reg         park_valid_q;
    reg  [5:0]  park_stream_q;
    reg  [10:0] park_issued_q;
    reg  [10:0] park_before_last_q;

    always @(posedge clk) begin
        park_valid_q       <= parks_now;
        park_stream_q      <= parked_stream;
        park_issued_q      <= park_turn_q[0] ? new_to_park_issued : granted_to_park_issued;
        park_before_last_q <= (park_turn_q[0] ? new_to_park_issued : granted_to_park_issued) - 11'd1;
        if (rst) begin
            park_valid_q <= 1'b0;
        end
    end

    reg  [11:0] park_before_old_q;
    reg  [11:0] park_before_new_q;
    reg         park_before_is_new_q;
    wire [11:0] park_before = park_before_is_new_q ? park_before_new_q : park_before_old_q;

    // ---- End: a request is over, perhaps the last that a parked token waits for
    reg       over_valid_q;
    reg [5:0] over_stream_q;

    always @(posedge clk) begin
        over_valid_q <= ends;
        if (ends) begin
            over_stream_q <= over_stream;
        end
        if (rst) begin
            over_valid_q <= 1'b0;
        end
    end

    reg  [11:0] ended_update_q;
    reg  [11:0] ended_written_q;
    reg         ended_update_valid_q;
    reg  [5:0]  ended_update_stream_q;
    wire        write_ended = ~swept_q | ended_update_valid_q;
    wire [5:0]  ended_row   = ~swept_q ? sweep_q : ended_update_stream_q;
    wire [11:0] ended_word  = ~swept_q ? 12'd0 : ended_update_q;

    always @(posedge clk) begin
        ended_update_valid_q  <= over_valid_q;
        ended_update_stream_q <= over_stream_q;
        ended_written_q       <= ended_word;
        if (rst) begin
            ended_update_valid_q <= 1'b0;
        end
    end

    reg ended_is_decided_q;
    reg ended_is_written_q;

    always @(posedge clk) begin
        ended_is_decided_q <= over_valid_q & (over_stream_q == over_stream);
        ended_is_written_q <= write_ended & (ended_row == over_stream);
    end

    reg  [11:0] ended_stored_q;
    wire [11:0] ended_now   =
        ended_is_decided_q ? ended_update_q :
        ended_is_written_q ? ended_written_q :
                             ended_stored_q;
    wire [10:0] ended_over  = ended_now[11:1];
    wire        ended_woken = ended_now[0];
    reg  [11:0] parked_word_old_q;
    reg  [11:0] parked_word_new_q;
    reg         parked_word_is_new_q;
    wire [11:0] parked_word = parked_word_is_new_q ? parked_word_new_q : parked_word_old_q;
    wire        is_parked   = parked_word[0] ^ ended_woken;
    wire        wakes       = over_valid_q & is_parked & (ended_over == parked_word[11:1]);

    always @(posedge clk) begin
        ended_update_q <= {ended_over + 11'd1, ended_woken ^ wakes};
    end

    reg       woken_push_q;
    reg [5:0] woken_stream_q;

    always @(posedge clk) begin
        woken_push_q   <= wakes;
        woken_stream_q <= over_stream_q;
        if (rst) begin
            woken_push_q <= 1'b0;
        end
    end

    assign woken_valid  = woken_push_q;
    assign woken_stream = woken_stream_q;
    // What ends in this very cycle counts for the token that is parked.
    reg park_ended_is_decided_q;
    reg park_ended_is_written_q;

    always @(posedge clk) begin
        park_ended_is_decided_q <= over_valid_q & (over_stream_q == parked_stream);
        park_ended_is_written_q <= write_ended & (ended_row == parked_stream);
    end

    reg [11:0] park_ended_stored_q;

    always @(posedge clk) begin
        if (write_ended) begin
            ended[ended_row] <= ended_word;
        end
        had_ended_q <= ended[arrive_stream];
        if (next_valid_q) begin
            has_ended_q <= ended[next_stream_q];
        end
        if (ends) begin
            ended_stored_q <= ended[over_stream];
        end
        if (parks_now) begin
            park_ended_stored_q <= ended[parked_stream];
        end
    end

    wire [11:0] park_ended_now =
        park_ended_is_decided_q ? ended_update_q :
        park_ended_is_written_q ? ended_written_q :
                                  park_ended_stored_q;
    wire        ends_here     = over_valid_q & (over_stream_q == park_stream_q);
    wire        is_over       =
        (park_ended_now[11:1] == park_issued_q) | (ends_here & (park_ended_now[11:1] == park_before_last_q));
    wire        write_parking = ~swept_q | (park_valid_q & ~is_over);
    wire [5:0]  parking_row   = ~swept_q ? sweep_q : park_stream_q;
    wire [11:0] parking_word  = ~swept_q ? 12'd0 : {park_before_last_q, ~park_before[0]};

    always @(posedge clk) begin
        if (write_parking) begin
            parking[parking_row] <= parking_word;
        end
        if (parks_now) begin
            park_before_old_q <= parking[parked_stream];
        end
        if (ends) begin
            parked_word_old_q <= parking[over_stream];
        end
    end

    always @(posedge clk) begin
        if (parks_now) begin
            park_before_is_new_q <= write_parking & (parking_row == parked_stream);
            park_before_new_q    <= parking_word;
        end
        if (ends) begin
            parked_word_is_new_q <= write_parking & (parking_row == over_stream);
            parked_word_new_q    <= parking_word;
        end
    end

    reg       passed_push_q;
    reg [5:0] passed_stream_q;

    always @(posedge clk) begin
        passed_push_q   <= park_valid_q & is_over;
        passed_stream_q <= park_stream_q;
        if (rst) begin
            passed_push_q <= 1'b0;
        end
    end

    assign passed_valid  = passed_push_q;
    assign passed_stream = passed_stream_q;

    // ---- Turns that were granted
    assign read_grant_valid  = (wants_turn_q[0] & item_valid_q & starts_at_once) | granting_q[0];
    assign read_grant_stream = granting_q[0] ? granted_stream_q : item_stream_q;
    assign read_grant_slot   = granting_q[0] ? granted_slot_q : item_slot;
    assign read_grant_only   = granting_q[0] ? granted_only_q : 1'b1;
    assign read_grant_more   = granting_q[0] ? granted_more_q : 4'd0;
    wire [14:0] read_turns_out;
    assign read_stream = read_turns_out[14:9];
    assign read_slot   = read_turns_out[8:5];
    assign read_only   = read_turns_out[4];
    assign read_more   = read_turns_out[3:0];

    fifo #(.WIDTH(15), .DEPTH(1024)) read_turns (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (read_grant_valid),
        .in_ready  (read_grant_ready),
        .in_data   ({read_grant_stream, read_grant_slot, read_grant_only, read_grant_more}),
        .out_valid (read_valid),
        .out_ready (read_ready),
        .out_data  (read_turns_out)
    );

    assign atomic_grant_valid  = (wants_turn_q[1] & item_valid_q & starts_at_once) | granting_q[1];
    assign atomic_grant_stream = granting_q[1] ? granted_stream_q : item_stream_q;
    assign atomic_grant_slot   = granting_q[1] ? granted_slot_q : item_slot;
    assign atomic_grant_only   = granting_q[1] ? granted_only_q : 1'b1;
    assign atomic_grant_more   = granting_q[1] ? granted_more_q : 4'd0;
    wire [14:0] atomic_turns_out;
    assign atomic_stream = atomic_turns_out[14:9];
    assign atomic_slot   = atomic_turns_out[8:5];
    assign atomic_only   = atomic_turns_out[4];
    assign atomic_more   = atomic_turns_out[3:0];

    fifo #(.WIDTH(15), .DEPTH(1024)) atomic_turns (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (atomic_grant_valid),
        .in_ready  (atomic_grant_ready),
        .in_data   ({atomic_grant_stream, atomic_grant_slot, atomic_grant_only, atomic_grant_more}),
        .out_valid (atomic_valid),
        .out_ready (atomic_ready),
        .out_data  (atomic_turns_out)
    );

    assign end_grant_valid  = (wants_turn_q[2] & item_valid_q & starts_at_once) | granting_q[2];
    assign end_grant_stream = granting_q[2] ? granted_stream_q : item_stream_q;
    assign end_grant_slot   = granting_q[2] ? granted_slot_q : item_slot;
    assign end_grant_only   = granting_q[2] ? granted_only_q : 1'b1;
    assign end_grant_more   = granting_q[2] ? granted_more_q : 4'd0;
    wire [14:0] end_turns_out;
    assign end_stream = end_turns_out[14:9];
    assign end_slot   = end_turns_out[8:5];
    assign end_only   = end_turns_out[4];
    assign end_more   = end_turns_out[3:0];

    fifo #(.WIDTH(15), .DEPTH(64)) end_turns (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (end_grant_valid),
        .in_ready  (end_grant_ready),
        .in_data   ({end_grant_stream, end_grant_slot, end_grant_only, end_grant_more}),
        .out_valid (end_valid),
        .out_ready (end_ready),
        .out_data  (end_turns_out)
    );

    // Not read:
    // had_granted[11:1]: a stream without a token has had all its turns
    // had_ended_q[0], has_ended_q[0], park_ended_now[0]: only the number of requests that are over matters
    // item_first_q: what it drops is known
    // settled_q[36:26], settled_q[25:15], settled_q[14:13], settled_q[12:2], settled_q[1], settled_q[0]: compared
    // without the choice of the latest word
    // new_ready, new_park_ready, again_ready, granted_park_ready, woken_ready, passed_ready: there is room for all
    // tokens
    // has[25:15], has[14:13], has[0]: the slots have the kinds
    // second_kind_q[2:1]: the next turn has it
    // park_before[11:1]: it is replaced
    // read_grant_ready, atomic_grant_ready, end_grant_ready: there is room for all requests
    wire unused = &{
        1'b0, had_granted[11:1], had_ended_q[0], item_first_q, settled_q[36:26], settled_q[25:15],
        settled_q[14:13], settled_q[12:2], settled_q[1], settled_q[0], new_ready, new_park_ready, has[25:15],
        has[14:13], has[0], has_ended_q[0], second_kind_q[2:1], again_ready, granted_park_ready,
        park_before[11:1], woken_ready, park_ended_now[0], passed_ready, read_grant_ready, atomic_grant_ready,
        end_grant_ready
    };
endmodule
`default_nettype wire

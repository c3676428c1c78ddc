// work_ring: posts wait behind one whose ring is full, and no slot in use is written.
// depth 1
// bound 12
localparam SPEC_DEPTH = 1 << `WIDTH_fetch_number - 1;
wire [`WIDTH_fetch_number-1:0] spec_in_ring = had_posted - had_fetched_q;

// property no_overwrite: a work request is stored only when its ring has a free slot
// control no_overwrite: stores = deciding_q & ~is_full => stores = deciding_q
always @* if (started && stores) no_overwrite: assert (spec_in_ring != SPEC_DEPTH);
// property posts_wait: no post is accepted while one waits, or is found to
// control posts_wait: swept_q & ~post_stays => swept_q
always @* if (started && wqe_valid && wqe_ready) posts_wait: assert (!post_waits_q && !(deciding_q && is_full));
// property one_at_a_time: a post is never decided while an opening is
// control one_at_a_time: ~post_stays & ~opened_valid => ~post_stays
always @* if (started) one_at_a_time: assert (!(deciding_q && opening_q));

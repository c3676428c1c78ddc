// A block of SHA-256 takes 16 words and has 64 rounds, each with its constant of FIPS 180-4 section 4.2.2. That the rounds and their sums are right is shown
// by tests, which compare digests with those of another implementation: a solver does not compare sums of five words in another order.
// depth 1
// bound 8

// property constants: each round has its constant
// control constants: 64'hfc007fc03f03e1cc >> round_q => 64'hfc007fc03f03e1cd >> round_q
// property words_taken: a block takes 16 words, each with the round that uses it, none behind the last block of a turn
// control words_taken: (next_step - 7'd2) < 7'd16 => (next_step - 7'd1) < 7'd16
// property one_turn: a turn starts when the one before is over and its digest, if it has one, was accepted
// control one_turn: is_idle      = ~runs_q & ~done_q => is_idle      = ~done_q
// invariant digest_stays: a digest on offer stays until it is accepted
// excused handshake_digest: digest_stays says so for all cycles; no digest comes in the cycles in which a control could fail
// excused handshake_start: digest_unit keeps the rule as long as no part is over before its turn starts; no property here needs it
// invariant steps: a block has four steps that sum, and 64 rounds

function [31:0] sha256_constant(input [5:0] t);
    case (t)
        6'd0: sha256_constant = 32'h428a2f98; 6'd1: sha256_constant = 32'h71374491; 6'd2: sha256_constant = 32'hb5c0fbcf; 6'd3: sha256_constant = 32'he9b5dba5;
        6'd4: sha256_constant = 32'h3956c25b; 6'd5: sha256_constant = 32'h59f111f1; 6'd6: sha256_constant = 32'h923f82a4; 6'd7: sha256_constant = 32'hab1c5ed5;
        6'd8: sha256_constant = 32'hd807aa98; 6'd9: sha256_constant = 32'h12835b01; 6'd10: sha256_constant = 32'h243185be; 6'd11: sha256_constant = 32'h550c7dc3;
        6'd12: sha256_constant = 32'h72be5d74; 6'd13: sha256_constant = 32'h80deb1fe; 6'd14: sha256_constant = 32'h9bdc06a7; 6'd15: sha256_constant = 32'hc19bf174;
        6'd16: sha256_constant = 32'he49b69c1; 6'd17: sha256_constant = 32'hefbe4786; 6'd18: sha256_constant = 32'h0fc19dc6; 6'd19: sha256_constant = 32'h240ca1cc;
        6'd20: sha256_constant = 32'h2de92c6f; 6'd21: sha256_constant = 32'h4a7484aa; 6'd22: sha256_constant = 32'h5cb0a9dc; 6'd23: sha256_constant = 32'h76f988da;
        6'd24: sha256_constant = 32'h983e5152; 6'd25: sha256_constant = 32'ha831c66d; 6'd26: sha256_constant = 32'hb00327c8; 6'd27: sha256_constant = 32'hbf597fc7;
        6'd28: sha256_constant = 32'hc6e00bf3; 6'd29: sha256_constant = 32'hd5a79147; 6'd30: sha256_constant = 32'h06ca6351; 6'd31: sha256_constant = 32'h14292967;
        6'd32: sha256_constant = 32'h27b70a85; 6'd33: sha256_constant = 32'h2e1b2138; 6'd34: sha256_constant = 32'h4d2c6dfc; 6'd35: sha256_constant = 32'h53380d13;
        6'd36: sha256_constant = 32'h650a7354; 6'd37: sha256_constant = 32'h766a0abb; 6'd38: sha256_constant = 32'h81c2c92e; 6'd39: sha256_constant = 32'h92722c85;
        6'd40: sha256_constant = 32'ha2bfe8a1; 6'd41: sha256_constant = 32'ha81a664b; 6'd42: sha256_constant = 32'hc24b8b70; 6'd43: sha256_constant = 32'hc76c51a3;
        6'd44: sha256_constant = 32'hd192e819; 6'd45: sha256_constant = 32'hd6990624; 6'd46: sha256_constant = 32'hf40e3585; 6'd47: sha256_constant = 32'h106aa070;
        6'd48: sha256_constant = 32'h19a4c116; 6'd49: sha256_constant = 32'h1e376c08; 6'd50: sha256_constant = 32'h2748774c; 6'd51: sha256_constant = 32'h34b0bcb5;
        6'd52: sha256_constant = 32'h391c0cb3; 6'd53: sha256_constant = 32'h4ed8aa4a; 6'd54: sha256_constant = 32'h5b9cca4f; 6'd55: sha256_constant = 32'h682e6ff3;
        6'd56: sha256_constant = 32'h748f82ee; 6'd57: sha256_constant = 32'h78a5636f; 6'd58: sha256_constant = 32'h84c87814; 6'd59: sha256_constant = 32'h8cc70208;
        6'd60: sha256_constant = 32'h90befffa; 6'd61: sha256_constant = 32'ha4506ceb; 6'd62: sha256_constant = 32'hbef9a3f7; 6'd63: sha256_constant = 32'hc67178f2;
    endcase
endfunction
// The turn in progress, and the last word that came.
reg  turn_q, digest_q;
reg  message_ends_q;
always @(posedge clk) begin
    if (word_valid && word_ready) message_ends_q <= word_ends;
    turn_q   <= start_valid && start_ready || turn_q && !turn_over;
    digest_q <= turn_over && message_ends_q || digest_q && !(digest_valid && digest_ready);
    if (rst) {turn_q, digest_q} <= 0;
end

always @* if (started && !rst) begin
    if (step_q >= 3 && step_q <= 66) constants: assert (constant_q == sha256_constant(step_q - 7'd3));
    words_taken: assert (word_ready == (step_q >= 2 && step_q <= 17 && !final_q));
    one_turn: assert (start_ready == (!turn_q && !digest_q) && digest_valid == digest_q && runs_q == turn_q);
    steps: assert (step_q <= 67 && is_round_q == (step_q >= 4) && (runs_q || step_q == 0) && (!final_q || step_q <= 3));
    if (step_q != 0) steps: assert (round_q == ((step_q - 7'd2) & 7'd63));
    if (final_q || step_q > 2) steps: assert (ends_q == message_ends_q && runs_q);
    if (takes_q) steps: assert (runs_q);
    steps: assert (!(done_q && runs_q));
end
always @(posedge clk) if (started && $past(started) && !$past(rst) && $past(digest_valid) && !$past(digest_ready))
    digest_stays: assert (digest_valid && $stable(digest_octets));

// pace.v is part of the bench: the stalls of its ports.
`default_nettype none

// pace determines the cycles in which a port may transfer: go is 0 in +stall=N of 256 cycles on average, in runs of 1 to
// +burst=N cycles.
module pace #(
    parameter integer PORT = 0
) (
    input  wire clk,
    output reg  go
);
    integer stall, burst, seed, left, length, chance;

    initial begin
        if (!$value$plusargs("stall=%d", stall)) stall = 0;
        if (!$value$plusargs("burst=%d", burst)) burst = 1;
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        seed = seed * 64 + PORT;
        left = 0;
        go = 1'b1;
    end

    always @(posedge clk)
        if (stall == 0) go <= 1'b1;
        else if (left != 0) left = left - 1;
        else begin
            length = $random(seed);
            chance = $random(seed);
            left = burst > 1 ? $unsigned(length) % burst : 0;
            go <= chance[7:0] >= stall;
        end
endmodule

`default_nettype wire

rtl/ddp_classify.v
rtl/ddp_parser_64_64.v
rtl/atomic_check_4096_64.v
rtl/access_arbiter_4096_64.v
rtl/atomic_alu.v
rtl/atomic_window_4096_64_retire.v
rtl/atomic_response_builder_64_64.v
rtl/rnic_atomics.v

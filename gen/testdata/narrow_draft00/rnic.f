rtl/ddp_classify.v
rtl/ddp_parser_8_2.v
rtl/atomic_check_16_2_draft00.v
rtl/access_arbiter_16_2.v
rtl/atomic_alu_draft00.v
rtl/atomic_window_16_2_draft00.v
rtl/atomic_response_builder_8_2.v
rtl/rnic_atomics.v

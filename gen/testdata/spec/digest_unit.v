// The rules of its streams hold for any behaviour of the blocks inside, which are proven on their own. That each request has one response, with its
// digest, is shown by tests, which compare digests with those of another implementation.
// depth 3
// excused handshake_m_axi_r: the buffers have room for all that is asked for, so data is accepted in every cycle

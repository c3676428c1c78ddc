// The child's half of the icarus engine, a VPI module for vvp. A bench calls $rnicgen_drive(clock, inputs and outputs...), with
// 0 for the clock if there is none. The other half, in Go, sends the inputs and receives the outputs through a pair of pipes.
//
// A request is a command word followed by the value of each input; a response is a status word followed by the value of each
// output. A value consists of 64-bit words, low word first. With +unknown the value of an output is followed by as many words
// with the mask of its x and z bits, which are 0 in the value.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <vpi_user.h>

enum { kRequests = 3, kResponses = 4 };          // file descriptors
enum { kSettle, kEdge, kEnd };                   // requests; kEdge: a clock edge precedes the change of inputs
enum { kSettled, kFinished, kDoesNotSettle };    // responses
enum { kHalfCycle = 5 };                         // a cycle is ten time units; the clock rises in the middle

typedef struct {
    vpiHandle handle;
    int bits, words;
} Port;

static vpiHandle bench, clock_port;
static Port *inputs, *outputs;
static int input_count, output_count;
static int planes = 1;  // of an output

static uint64_t *request, *driven, *response;  // driven: the current inputs
static size_t request_words, response_words;
static int first = 1;

static volatile sig_atomic_t working;  // step number, to detect an endless one; 0: waiting for a request
static int patience = 5;               // seconds of processor time for a step

// The end of the pipe means that the parent has ended.
static void transfer(ssize_t (*move)(int, void*, size_t), int file, uint64_t* words, size_t count) {
    char* at = (char*)words;
    for (size_t left = 8 * count; left > 0;) {
        ssize_t n = move(file, at, left);
        if (n <= 0) _exit(1);
        at += n;
        left -= n;
    }
}

static ssize_t send_bytes(int file, void* bytes, size_t count) { return write(file, bytes, count); }

static void after(PLI_UINT64 delay, PLI_INT32 reason, PLI_INT32 (*routine)(p_cb_data)) {
    s_vpi_time time = {.type = vpiSimTime, .high = 0, .low = (PLI_UINT32)delay};
    s_cb_data cb = {.reason = reason, .cb_rtn = routine, .time = &time};
    vpi_register_cb(&cb);
}

static void put(vpiHandle handle, int bits, const uint64_t* value) {
    static s_vpi_vecval* parts;
    static int room;
    int n = (bits + 31) / 32;
    if (n > room) parts = realloc(parts, (room = n) * sizeof *parts);
    for (int i = 0; i < n; i++) {
        parts[i].aval = (uint32_t)(value[i / 2] >> (i % 2 * 32));
        parts[i].bval = 0;
    }
    s_vpi_value v = {.format = vpiVectorVal, .value.vector = parts};
    vpi_put_value(handle, &v, 0, vpiNoDelay);
}

static void set_clock(int high) {
    s_vpi_value v = {.format = vpiIntVal, .value.integer = high};
    if (clock_port) vpi_put_value(clock_port, &v, 0, vpiNoDelay);
}

// ---- Initial state: every register and memory is zero, or random.
static int random_start;
static uint64_t random_state;

static uint64_t draw(void) {  // splitmix64
    uint64_t z = random_state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static void start_register(vpiHandle handle) {
    int bits = vpi_get(vpiSize, handle), words = (bits + 63) / 64;
    uint64_t value[words];
    for (int i = 0; i < words; i++) value[i] = random_start ? draw() : 0;
    put(handle, bits, value);
}

static void start_each(PLI_INT32 kind, vpiHandle of, void (*start)(vpiHandle)) {
    vpiHandle all = vpi_iterate(kind, of);
    if (!all) return;
    for (vpiHandle one; (one = vpi_scan(all));) start(one);
}

static void start_memory(vpiHandle handle) { start_each(vpiMemoryWord, handle, start_register); }

static void start_scope(vpiHandle scope) {
    start_each(vpiReg, scope, start_register);
    start_each(vpiMemory, scope, start_memory);
    start_each(vpiInternalScope, scope, start_scope);
}

// ---- Cycles
static PLI_INT32 settled(p_cb_data cb);

static void apply(void) {
    uint64_t *now = request + 1, *was = driven + 1;
    for (int i = 0; i < input_count; i++) {
        Port* p = &inputs[i];
        if (first || memcmp(now, was, 8 * (size_t)p->words)) put(p->handle, p->bits, now);
        now += p->words;
        was += p->words;
    }
    first = 0;
    memcpy(driven, request, 8 * request_words);
    after(0, cbReadWriteSynch, settled);
}

static PLI_INT32 fall(p_cb_data cb) {
    (void)cb;
    set_clock(0);
    apply();
    return 0;
}

static PLI_INT32 rise(p_cb_data cb) {
    (void)cb;
    set_clock(1);
    after(kHalfCycle, cbAfterDelay, fall);
    return 0;
}

static void collect(void) {
    uint64_t* to = response + 1;
    for (int i = 0; i < output_count; i++) {
        Port* p = &outputs[i];
        s_vpi_value v = {.format = vpiVectorVal};
        vpi_get_value(p->handle, &v);
        memset(to, 0, 8 * (size_t)p->words * planes);
        for (int part = 0; part < (p->bits + 31) / 32; part++) {
            uint32_t x = v.value.vector[part].bval;
            to[part / 2] |= (uint64_t)((uint32_t)v.value.vector[part].aval & ~x) << (part % 2 * 32);
            if (planes > 1) to[p->words + part / 2] |= (uint64_t)x << (part % 2 * 32);
        }
        to += p->words * planes;
    }
}

// obey waits for a request and starts it. Waiting does not count as an endless step.
static void obey(void) {
    static int steps;
    working = 0;
    transfer(read, kRequests, request, request_words);
    working = steps = steps % 1000000 + 1;
    switch (request[0]) {
    case kSettle: apply(); break;
    case kEdge: after(kHalfCycle, cbAfterDelay, rise); break;
    default:
        response[0] = kSettled;
        transfer(send_bytes, kResponses, response, response_words);
        request = 0;
        vpi_control(vpiFinish, 0);
    }
}

static PLI_INT32 settled(p_cb_data cb) {
    (void)cb;
    collect();
    response[0] = kSettled;
    transfer(send_bytes, kResponses, response, response_words);
    obey();
    return 0;
}

// Called when the design, or this module, has ended the simulation.
static PLI_INT32 ended(p_cb_data cb) {
    (void)cb;
    if (!request) return 0;
    response[0] = kFinished;
    transfer(send_bytes, kResponses, response, response_words);
    return 0;
}

// Called after each second of processor time: a step that takes longer than patience counts as endless.
static void tick(int signal) {
    (void)signal;
    static int step, seconds;
    if (!working || working != step) {
        step = working;
        seconds = 0;
    } else if (++seconds >= patience) {
        response[0] = kDoesNotSettle;
        transfer(send_bytes, kResponses, response, response_words);
        _exit(1);
    }
}

// ---- Start
// option returns the text after +name among the arguments, 0 if there is none.
static const char* option(const char* name) {
    s_vpi_vlog_info info;
    vpi_get_vlog_info(&info);
    for (int i = 0; i < info.argc; i++) {
        if (info.argv[i][0] == '+' && !strncmp(info.argv[i] + 1, name, strlen(name))) return info.argv[i] + 1 + strlen(name);
    }
    return 0;
}

static PLI_INT32 begin(p_cb_data cb) {
    (void)cb;
    const char* seed = option("random=");
    if (seed) {
        random_start = 1;
        random_state = strtoull(seed, 0, 10);
    }
    if (!option("unknown")) start_each(vpiInternalScope, bench, start_scope);
    set_clock(0);
    if (option("patience=")) patience = atoi(option("patience="));
    signal(SIGPROF, tick);
    struct itimerval every = {{1, 0}, {1, 0}};
    setitimer(ITIMER_PROF, &every, 0);
    obey();
    return 0;
}

static PLI_INT32 drive(PLI_BYTE8* data) {
    (void)data;
    planes = option("unknown") ? 2 : 1;
    vpiHandle call = vpi_handle(vpiSysTfCall, 0), arguments = vpi_iterate(vpiArgument, call);
    bench = vpi_handle(vpiScope, call);
    request_words = response_words = 1;
    vpiHandle one = vpi_scan(arguments);
    if (vpi_get(vpiType, one) == vpiReg) clock_port = one;
    while ((one = vpi_scan(arguments))) {
        int input = vpi_get(vpiType, one) == vpiReg;
        Port** list = input ? &inputs : &outputs;
        int* count = input ? &input_count : &output_count;
        *list = realloc(*list, (*count + 1) * sizeof **list);
        Port* p = &(*list)[(*count)++];
        p->handle = one;
        p->bits = vpi_get(vpiSize, one);
        p->words = (p->bits + 63) / 64;
        *(input ? &request_words : &response_words) += (size_t)p->words * (input ? 1 : planes);
    }
    request = calloc(request_words, 8);
    driven = calloc(request_words, 8);
    response = calloc(response_words, 8);
    s_cb_data cb = {.reason = cbEndOfSimulation, .cb_rtn = ended};
    vpi_register_cb(&cb);
    after(0, cbReadWriteSynch, begin);
    return 0;
}

static void enter(void) {
    s_vpi_systf_data task = {.type = vpiSysTask, .tfname = "$rnicgen_drive", .calltf = drive};
    vpi_register_systf(&task);
}

void (*vlog_startup_routines[])(void) = {enter, 0};

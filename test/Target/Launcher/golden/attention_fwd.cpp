//===- attention_fwd.cpp - Launcher of the kernel attention_fwd ----------===//
//
// Do not edit. Made by trident-compile 0.1.0:
//
//   trident-compile attention_fwd --target sm_90a --set dtype=bf16,f16 --set head_dim=64,128 --set
//   causal=none,top_left,bottom_right
//
//===----------------------------------------------------------------------===//
// In order: what a call must satisfy and what the kernels take (tables), the part of the CUDA
// driver that is used, the checks, the loading of images, the launch, the images.
//===----------------------------------------------------------------------===//
#include "attention_fwd.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>

namespace trident::attention_fwd {
namespace {

//===----------------------------------------------------------------------===//
// What a call must satisfy
//===----------------------------------------------------------------------===//

// The tensors, dimensions, scalars and parameters, by number.
enum { tensor_q, tensor_k, tensor_v, tensor_o, tensor_lse };
enum {
  dimension_batch,
  dimension_seq_q,
  dimension_heads,
  dimension_head_dim,
  dimension_seq_k,
  dimension_kv_heads,
  dimension_head_dim_v,
};
enum { scalar_scale };
enum { parameter_dtype, parameter_head_dim, parameter_head_dim_v, parameter_causal };

constexpr const char *dimensionNames[] = {
    "batch",      // 0
    "seq_q",      // 1
    "heads",      // 2
    "head_dim",   // 3
    "seq_k",      // 4
    "kv_heads",   // 5
    "head_dim_v", // 6
};

constexpr int maxRank = Tensor::maxRank;

struct TensorRule {
  const char *name;
  bool output;
  bool optional;
  Type type;     // none: given by a type parameter
  int parameter; // that parameter
  int rank;
  int dimensions[maxRank]; // in the order of the axes
  bool repeats;            // an extent may be 1 where that of its dimension is more
};

constexpr TensorRule tensors[] = {
    {"q", false, false, Type::none, parameter_dtype, 4, {0, 1, 2, 3}, false}, // 0
    {"k", false, false, Type::none, parameter_dtype, 4, {0, 4, 5, 3}, false}, // 1
    {"v", false, false, Type::none, parameter_dtype, 4, {0, 4, 5, 6}, false}, // 2
    {"o", true, false, Type::none, parameter_dtype, 4, {0, 1, 2, 6}, false},  // 3
    {"lse", true, true, Type::f32, -1, 3, {0, 2, 1}, false},                  // 4
};

struct ScalarRule {
  const char *name;
  Type type;
};

constexpr std::array<ScalarRule, 1> scalars = {{
    {"scale", Type::f32}, // 0
}};

// An axis that has some elements more than the extent of its dimension.
struct AxisExtra {
  int tensor, axis;
  int64_t extra;
};

constexpr std::array<AxisExtra, 0> axisExtras = {{}};

// A dimension whose extent is a scalar.
struct GivenExtent {
  size_t scalar;
  int dimension;
};

constexpr std::array<GivenExtent, 0> givenExtents = {{}};

struct Value {
  const char *name;
  int64_t value;
};

constexpr int64_t bf16 = static_cast<int64_t>(Type::bf16);
constexpr int64_t f16 = static_cast<int64_t>(Type::f16);
constexpr int64_t f32 = static_cast<int64_t>(Type::f32);
constexpr Value dtypeValues[] = {
    {"bf16", bf16}, // 0
    {"f16", f16},   // 1
    {"f32", f32},   // 2
};
constexpr Value head_dimValues[] = {
    {"64", 64},   // 0
    {"128", 128}, // 1
    {"256", 256}, // 2
};
constexpr Value head_dim_vValues[] = {
    {"64", 64},   // 0
    {"128", 128}, // 1
    {"256", 256}, // 2
};
constexpr Value causalValues[] = {
    {"none", 0},         // 0
    {"top_left", 1},     // 1
    {"bottom_right", 2}, // 2
};

struct ParameterRule {
  enum Kind { type, extent, choice } kind;
  const char *name;
  const Value *values; // all that the kernel allows
  int count;
  int dimension; // extent parameters: the dimension that decides
};

constexpr std::array<ParameterRule, 4> parameters = {{
    {ParameterRule::type, "dtype", dtypeValues, 3, -1},                               // 0
    {ParameterRule::extent, "head_dim", head_dimValues, 3, dimension_head_dim},       // 1
    {ParameterRule::extent, "head_dim_v", head_dim_vValues, 3, dimension_head_dim_v}, // 2
    {ParameterRule::choice, "causal", causalValues, 3, -1},                           // 3
}};

// One side of a requirement: a dimension, or a constant when that is -1.
struct Side {
  int dimension;
  int64_t constant;
};

struct Requirement {
  enum Kind { divides, lessEqual, equal } kind; // lhs % rhs == 0, lhs <= rhs, lhs == rhs
  Side lhs, rhs;
};

constexpr std::array<Requirement, 1> requirements = {{
    {Requirement::divides, {dimension_heads, 0}, {dimension_kv_heads, 0}}, // 0
}};

//===----------------------------------------------------------------------===//
// What the kernels take
//===----------------------------------------------------------------------===//

// What is passed to a kernel, in the order of its parameters.
struct Operand {
  enum Kind { tensorMap, pointer, stride, extent, scalar, workspace, ticket } kind;
  int index;        // of the tensor, the dimension or the scalar
  int axis;         // strides; tensor maps of sequences: along which they lie
  int box[maxRank]; // tensor maps: elements along each axis of the tensor
  int swizzle;      // tensor maps: bytes
  int sequences;    // tensor maps of sequences: the dimension of one; -1: none
};

[[maybe_unused]] constexpr Operand pointer(int index) {
  return {Operand::pointer, index, 0, {}, 0, -1};
}
[[maybe_unused]] constexpr Operand stride(int index, int axis) {
  return {Operand::stride, index, axis, {}, 0, -1};
}
[[maybe_unused]] constexpr Operand extent(int index) {
  return {Operand::extent, index, 0, {}, 0, -1};
}
[[maybe_unused]] constexpr Operand scalar(int index) {
  return {Operand::scalar, index, 0, {}, 0, -1};
}

// The grid is the product of ceil(extent / tile), all on grid.x; with `plus`, not -1, of
// floor(extent / tile) and that extent together, where it is not 0.
struct GridFactor {
  int dimension;
  int tile;
  int plus;
};

// What a kernel asks of a tensor's layout.
struct LayoutRule {
  bool mapped;     // read through a tensor map
  bool contiguous; // the innermost stride must be 1
  int alignment;   // of the address and of the strides, in bytes; at least the element's size
};

struct Target {
  const char *name;
  int architecture; // compute capability * 10
  char family;      // 'a': that architecture only; 'f': its family; 0: that and all later ones
};

template <typename Item> struct List {
  const Item *first;
  int count;

  constexpr List() : first(nullptr), count(0) {}
  template <int n> constexpr List(const Item (&items)[n]) : first(items), count(n) {}
  constexpr const Item *begin() const { return first; }
  constexpr const Item *end() const { return first + count; }
};

constexpr int maxFactors = 1;

// The calls that a variant is for: the product of the extents is from `atLeast` on, below `below`.
struct SizeRange {
  int dimensions[maxFactors]; // -1: no more
  int64_t atLeast, below;
};

using Key = std::array<int64_t, 4>; // the values of the parameters

struct VariantRule {
  Key key;
  List<SizeRange> sizes; // all of which hold
  Target target;
  const char *symbol;
  unsigned threads, sharedBytes;
  List<Operand> operands;
  List<GridFactor> grid;
  const LayoutRule *layout; // of each tensor
  bool persistent;          // at most one block a multiprocessor, each running many items
  const char *ptx;          // null: left out of this build
  const char *cubin;        // or null
};

constexpr Target sm_90a = {"sm_90a", 90, 'a'};
constexpr char symbol0[] = "attention_fwd_bf16_64_none";
constexpr char symbol1[] = "attention_fwd_bf16_64_top_left";
constexpr char symbol2[] = "attention_fwd_bf16_64_bottom_right";
constexpr char symbol3[] = "attention_fwd_bf16_128_none";
constexpr char symbol4[] = "attention_fwd_bf16_128_top_left";
constexpr char symbol5[] = "attention_fwd_bf16_128_bottom_right";
constexpr char symbol6[] = "attention_fwd_f16_64_none";
constexpr char symbol7[] = "attention_fwd_f16_64_top_left";
constexpr char symbol8[] = "attention_fwd_f16_64_bottom_right";
constexpr char symbol9[] = "attention_fwd_f16_128_none";
constexpr char symbol10[] = "attention_fwd_f16_128_top_left";
constexpr char symbol11[] = "attention_fwd_f16_128_bottom_right";

constexpr Operand operands0[] = {
    {Operand::tensorMap, tensor_q, 0, {1, 128, 1, 64}, 128, -1}, // 0
    {Operand::tensorMap, tensor_k, 0, {1, 192, 1, 64}, 128, -1}, // 1
    {Operand::tensorMap, tensor_v, 0, {1, 192, 1, 64}, 128, -1}, // 2
    pointer(tensor_o),                                           // 3
    stride(tensor_o, 0),                                         // 4
    stride(tensor_o, 1),                                         // 5
    stride(tensor_o, 2),                                         // 6
    pointer(tensor_lse),                                         // 7
    stride(tensor_lse, 0),                                       // 8
    stride(tensor_lse, 1),                                       // 9
    stride(tensor_lse, 2),                                       // 10
    extent(dimension_batch),                                     // 11
    extent(dimension_heads),                                     // 12
    extent(dimension_kv_heads),                                  // 13
    extent(dimension_seq_q),                                     // 14
    extent(dimension_seq_k),                                     // 15
    scalar(scalar_scale),                                        // 16
};
constexpr Operand operands1[] = {
    {Operand::tensorMap, tensor_q, 0, {1, 128, 1, 64}, 128, -1}, // 0
    {Operand::tensorMap, tensor_k, 0, {1, 128, 1, 64}, 128, -1}, // 1
    {Operand::tensorMap, tensor_v, 0, {1, 128, 1, 64}, 128, -1}, // 2
    pointer(tensor_o),                                           // 3
    stride(tensor_o, 0),                                         // 4
    stride(tensor_o, 1),                                         // 5
    stride(tensor_o, 2),                                         // 6
    pointer(tensor_lse),                                         // 7
    stride(tensor_lse, 0),                                       // 8
    stride(tensor_lse, 1),                                       // 9
    stride(tensor_lse, 2),                                       // 10
    extent(dimension_batch),                                     // 11
    extent(dimension_heads),                                     // 12
    extent(dimension_kv_heads),                                  // 13
    extent(dimension_seq_q),                                     // 14
    extent(dimension_seq_k),                                     // 15
    scalar(scalar_scale),                                        // 16
};

constexpr GridFactor grid0[] = {
    {dimension_batch, 1, -1},   // 0
    {dimension_heads, 1, -1},   // 1
    {dimension_seq_q, 128, -1}, // 2
};

constexpr LayoutRule layout0[] = {
    {true, true, 16},  // 0
    {true, true, 16},  // 1
    {true, true, 16},  // 2
    {false, true, 16}, // 3
    {false, false, 0}, // 4
};

alignas(16) extern const char ptx0[];
alignas(16) extern const char ptx1[];
alignas(16) extern const char ptx2[];
alignas(16) extern const char ptx3[];
alignas(16) extern const char ptx4[];
alignas(16) extern const char ptx5[];
alignas(16) extern const char ptx6[];
alignas(16) extern const char ptx7[];
alignas(16) extern const char ptx8[];
alignas(16) extern const char ptx9[];
alignas(16) extern const char ptx10[];
alignas(16) extern const char ptx11[];
alignas(16) extern const char cubin0[];
alignas(16) extern const char cubin1[];
alignas(16) extern const char cubin2[];
alignas(16) extern const char cubin3[];
alignas(16) extern const char cubin4[];
alignas(16) extern const char cubin5[];

// A build has all variants, or those that ATTENTION_FWD_VARIANTS names, with commas between them.
#ifdef ATTENTION_FWD_VARIANTS
#define TRIDENT_TEXT(...) #__VA_ARGS__
#define TRIDENT_TEXT_OF(...) TRIDENT_TEXT(__VA_ARGS__)
constexpr char chosen[] = TRIDENT_TEXT_OF(ATTENTION_FWD_VARIANTS);
constexpr bool allChosen = false;
#undef TRIDENT_TEXT_OF
#undef TRIDENT_TEXT
#else
constexpr char chosen[] = "";
constexpr bool allChosen = true;
#endif

constexpr const char *variantNames[] = {
    "bf16_64_64_none_sm_90a",           // 0
    "bf16_64_64_top_left_sm_90a",       // 1
    "bf16_64_64_bottom_right_sm_90a",   // 2
    "bf16_128_128_none_sm_90a",         // 3
    "bf16_128_128_top_left_sm_90a",     // 4
    "bf16_128_128_bottom_right_sm_90a", // 5
    "f16_64_64_none_sm_90a",            // 6
    "f16_64_64_top_left_sm_90a",        // 7
    "f16_64_64_bottom_right_sm_90a",    // 8
    "f16_128_128_none_sm_90a",          // 9
    "f16_128_128_top_left_sm_90a",      // 10
    "f16_128_128_bottom_right_sm_90a",  // 11
};

// Takes the first word off a list.
constexpr std::string_view takeWord(std::string_view &list) {
  const size_t begin = list.find_first_not_of(", ");
  list.remove_prefix(begin < list.size() ? begin : list.size());
  const size_t end = list.find_first_of(", ");
  const std::string_view word = list.substr(0, end);
  list.remove_prefix(word.size());
  return word;
}

constexpr bool isChosen(std::string_view variant) {
  std::string_view list = chosen;
  for (std::string_view word = takeWord(list); !word.empty(); word = takeWord(list))
    if (word == variant)
      return true;
  return allChosen;
}

// Whether a list has words, all of which are names of variants.
constexpr bool namesVariants(std::string_view list) {
  bool any = false;
  for (std::string_view word = takeWord(list); !word.empty(); word = takeWord(list)) {
    bool known = false;
    for (const char *variant : variantNames)
      known |= word == variant;
    if (!known)
      return false;
    any = true;
  }
  return any;
}

static_assert(allChosen || namesVariants(chosen),
              "ATTENTION_FWD_VARIANTS must name variants of this file: bf16_64_64_none_sm_90a, "
              "bf16_64_64_top_left_sm_90a, bf16_64_64_bottom_right_sm_90a, "
              "bf16_128_128_none_sm_90a, bf16_128_128_top_left_sm_90a, "
              "bf16_128_128_bottom_right_sm_90a, f16_64_64_none_sm_90a, "
              "f16_64_64_top_left_sm_90a, f16_64_64_bottom_right_sm_90a, f16_128_128_none_sm_90a, "
              "f16_128_128_top_left_sm_90a, f16_128_128_bottom_right_sm_90a");

constexpr bool linked[] = {
    isChosen(variantNames[0]),  // 0
    isChosen(variantNames[1]),  // 1
    isChosen(variantNames[2]),  // 2
    isChosen(variantNames[3]),  // 3
    isChosen(variantNames[4]),  // 4
    isChosen(variantNames[5]),  // 5
    isChosen(variantNames[6]),  // 6
    isChosen(variantNames[7]),  // 7
    isChosen(variantNames[8]),  // 8
    isChosen(variantNames[9]),  // 9
    isChosen(variantNames[10]), // 10
    isChosen(variantNames[11]), // 11
};

constexpr VariantRule rules[] = {
    {
        {bf16, 64, 64, 0},
        {},
        sm_90a,
        symbol0,
        384,
        123904,
        operands0,
        grid0,
        layout0,
        false,
        linked[0] ? ptx0 : nullptr,
        linked[0] ? cubin0 : nullptr,
    },
    {
        {bf16, 64, 64, 1},
        {},
        sm_90a,
        symbol1,
        384,
        123904,
        operands0,
        grid0,
        layout0,
        false,
        linked[1] ? ptx1 : nullptr,
        linked[1] ? cubin1 : nullptr,
    },
    {
        {bf16, 64, 64, 2},
        {},
        sm_90a,
        symbol2,
        384,
        123904,
        operands0,
        grid0,
        layout0,
        false,
        linked[2] ? ptx2 : nullptr,
        linked[2] ? cubin2 : nullptr,
    },
    {
        {bf16, 128, 128, 0},
        {},
        sm_90a,
        symbol3,
        384,
        165120,
        operands1,
        grid0,
        layout0,
        false,
        linked[3] ? ptx3 : nullptr,
        linked[3] ? cubin3 : nullptr,
    },
    {
        {bf16, 128, 128, 1},
        {},
        sm_90a,
        symbol4,
        384,
        165120,
        operands1,
        grid0,
        layout0,
        true,
        linked[4] ? ptx4 : nullptr,
        linked[4] ? cubin4 : nullptr,
    },
    {
        {bf16, 128, 128, 2},
        {},
        sm_90a,
        symbol5,
        384,
        165120,
        operands1,
        grid0,
        layout0,
        false,
        linked[5] ? ptx5 : nullptr,
        linked[5] ? cubin5 : nullptr,
    },
    {
        {f16, 64, 64, 0},
        {},
        sm_90a,
        symbol6,
        384,
        123904,
        operands0,
        grid0,
        layout0,
        false,
        linked[6] ? ptx6 : nullptr,
        nullptr,
    },
    {
        {f16, 64, 64, 1},
        {},
        sm_90a,
        symbol7,
        384,
        123904,
        operands0,
        grid0,
        layout0,
        false,
        linked[7] ? ptx7 : nullptr,
        nullptr,
    },
    {
        {f16, 64, 64, 2},
        {},
        sm_90a,
        symbol8,
        384,
        123904,
        operands0,
        grid0,
        layout0,
        false,
        linked[8] ? ptx8 : nullptr,
        nullptr,
    },
    {
        {f16, 128, 128, 0},
        {},
        sm_90a,
        symbol9,
        384,
        165120,
        operands1,
        grid0,
        layout0,
        false,
        linked[9] ? ptx9 : nullptr,
        nullptr,
    },
    {
        {f16, 128, 128, 1},
        {},
        sm_90a,
        symbol10,
        384,
        165120,
        operands1,
        grid0,
        layout0,
        false,
        linked[10] ? ptx10 : nullptr,
        nullptr,
    },
    {
        {f16, 128, 128, 2},
        {},
        sm_90a,
        symbol11,
        384,
        165120,
        operands1,
        grid0,
        layout0,
        false,
        linked[11] ? ptx11 : nullptr,
        nullptr,
    },
};

// The variants in the order of their keys, so that many cost a call no more than few.
constexpr int byKey[] = {
    6,  // f16_64_64_none_sm_90a
    7,  // f16_64_64_top_left_sm_90a
    8,  // f16_64_64_bottom_right_sm_90a
    9,  // f16_128_128_none_sm_90a
    10, // f16_128_128_top_left_sm_90a
    11, // f16_128_128_bottom_right_sm_90a
    0,  // bf16_64_64_none_sm_90a
    1,  // bf16_64_64_top_left_sm_90a
    2,  // bf16_64_64_bottom_right_sm_90a
    3,  // bf16_128_128_none_sm_90a
    4,  // bf16_128_128_top_left_sm_90a
    5,  // bf16_128_128_bottom_right_sm_90a
};

constexpr char compiled[] = "dtype = bf16 or f16; head_dim = head_dim_v = 64 or 128; causal = "
                            "none, top_left or bottom_right";

constexpr int tensorCount = sizeof(tensors) / sizeof(*tensors);
constexpr int dimensionCount = sizeof(dimensionNames) / sizeof(*dimensionNames);
constexpr int variantCount = sizeof(rules) / sizeof(*rules);
constexpr int maxOperands = 17;
constexpr int maxMaps = 3;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

// Where the sentence of a refused call goes.
struct Message {
  char *text;
  size_t bytes;

  // Writes the sentence and gives the code back, so that a check is one `return`.
  __attribute__((format(printf, 3, 4))) int fail(StatusCode code, const char *format, ...) const {
    if (text && bytes) {
      const int prefix = std::snprintf(text, bytes, "%s: ", name);
      if (prefix > 0 && static_cast<size_t>(prefix) < bytes) {
        va_list values;
        va_start(values, format);
        std::vsnprintf(text + prefix, bytes - static_cast<size_t>(prefix), format, values);
        va_end(values);
      }
    }
    return static_cast<int>(code);
  }
};

constexpr StatusCode invalid = StatusCode::invalidArgument;

//===----------------------------------------------------------------------===//
// The CUDA driver, as far as a launch needs it
//===----------------------------------------------------------------------===//

using Result = int; // CUresult
using Context = struct ContextObject *;
using Library = struct LibraryObject *;
using Kernel = struct KernelObject *;
using Function = struct FunctionObject *;

struct alignas(128) TensorMap {
  uint64_t words[16];
};

struct Driver {
  int version;
  Result (*init)(unsigned flags);
  Result (*driverGetVersion)(int *version);
  Result (*getErrorName)(Result error, const char **name);
  Result (*deviceGetAttribute)(int *value, int attribute, int device);
  Result (*ctxGetCurrent)(Context *context);
  Result (*ctxGetDevice)(int *device);
  Result (*ctxPushCurrent)(Context context);
  Result (*ctxPopCurrent)(Context *context);
  Result (*streamGetCtx)(Stream stream, Context *context);
  Result (*streamIsCapturing)(Stream stream, int *status);
  Result (*threadExchangeStreamCaptureMode)(int *mode);
  Result (*pointerGetAttributes)(unsigned count, const int *attributes, void **values,
                                 uint64_t pointer);
  Result (*libraryLoadData)(Library *library, const void *image, int *jitOptions, void **jitValues,
                            unsigned jitCount, int *options, void **values, unsigned count);
  Result (*libraryUnload)(Library library);
  Result (*libraryGetKernel)(Kernel *kernel, Library library, const char *symbol);
  Result (*kernelGetFunction)(Function *function, Kernel kernel);
  Result (*kernelSetAttribute)(int attribute, int value, Kernel kernel, int device);
  Result (*tensorMapEncodeTiled)(TensorMap *map, int type, uint32_t rank, void *address,
                                 const uint64_t *extents, const uint64_t *strides,
                                 const uint32_t *box, const uint32_t *elementStrides,
                                 int interleave, int swizzle, int promotion, int fill);
  Result (*launchKernel)(Function function, unsigned gridX, unsigned gridY, unsigned gridZ,
                         unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                         Stream stream, void **parameters, void **extra);

  const char *errorName(Result error) const {
    const char *text = nullptr;
    return getErrorName(error, &text) == 0 && text ? text : "an unknown error";
  }

  int fail(Message message, const char *function, Result error) const {
    return message.fail(StatusCode::driverError, "%s failed: %s (%d)", function, errorName(error),
                        error);
  }
};

// Guards the opening of the driver and the loading of images; a call that needs neither takes no
// lock.
std::mutex loading;
std::atomic<const Driver *> openedDriver{nullptr};

template <typename FunctionPointer>
bool resolve(void *library, const char *symbol, FunctionPointer &function, const char **missing) {
  function = reinterpret_cast<FunctionPointer>(dlsym(library, symbol));
  if (!function && !*missing)
    *missing = symbol;
  return function != nullptr;
}

// Opens the driver library; `loading` is held.
int openDriver(Message message) {
  std::string path = "libcuda.so.1";
  if (const char *variable = std::getenv("TRIDENT_LIBCUDA"); variable && *variable)
    path = variable;
  {
    detail::DriverLibrary &chosen = detail::driverLibrary();
    const std::lock_guard<std::mutex> lock(chosen.mutex);
    if (!chosen.path.empty())
      path = chosen.path;
  }
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return message.fail(StatusCode::driverUnavailable,
                        "no CUDA driver: %s; install one, or name one by TRIDENT_LIBCUDA or "
                        "trident::setDriverLibrary()",
                        dlerror());
  static Driver driver;
  const char *missing = nullptr;
  resolve(library, "cuInit", driver.init, &missing);
  resolve(library, "cuDriverGetVersion", driver.driverGetVersion, &missing);
  resolve(library, "cuGetErrorName", driver.getErrorName, &missing);
  resolve(library, "cuDeviceGetAttribute", driver.deviceGetAttribute, &missing);
  resolve(library, "cuCtxGetCurrent", driver.ctxGetCurrent, &missing);
  resolve(library, "cuCtxGetDevice", driver.ctxGetDevice, &missing);
  resolve(library, "cuCtxPushCurrent_v2", driver.ctxPushCurrent, &missing);
  resolve(library, "cuCtxPopCurrent_v2", driver.ctxPopCurrent, &missing);
  resolve(library, "cuStreamGetCtx", driver.streamGetCtx, &missing);
  resolve(library, "cuStreamIsCapturing", driver.streamIsCapturing, &missing);
  resolve(library, "cuThreadExchangeStreamCaptureMode", driver.threadExchangeStreamCaptureMode,
          &missing);
  resolve(library, "cuPointerGetAttributes", driver.pointerGetAttributes, &missing);
  resolve(library, "cuLibraryLoadData", driver.libraryLoadData, &missing);
  resolve(library, "cuLibraryUnload", driver.libraryUnload, &missing);
  resolve(library, "cuLibraryGetKernel", driver.libraryGetKernel, &missing);
  resolve(library, "cuKernelGetFunction", driver.kernelGetFunction, &missing);
  resolve(library, "cuKernelSetAttribute", driver.kernelSetAttribute, &missing);
  resolve(library, "cuTensorMapEncodeTiled", driver.tensorMapEncodeTiled, &missing);
  resolve(library, "cuLaunchKernel", driver.launchKernel, &missing);
  if (missing)
    return message.fail(StatusCode::unsupported,
                        "the driver %s has no %s: expected a driver of CUDA 12.0 or later",
                        path.c_str(), missing);
  if (const Result result = driver.init(0))
    return message.fail(StatusCode::driverUnavailable,
                        "the driver %s finds no device: cuInit gave %s (%d)", path.c_str(),
                        driver.errorName(result), result);
  if (const Result result = driver.driverGetVersion(&driver.version))
    return driver.fail(message, "cuDriverGetVersion", result);
  if (driver.version < 12000)
    return message.fail(StatusCode::unsupported,
                        "the driver is of CUDA %d.%d: expected 12.0 or later",
                        driver.version / 1000, driver.version % 1000 / 10);
  openedDriver.store(&driver, std::memory_order_release);
  return 0;
}

int getDriver(Message message, const Driver *&driver) {
  driver = openedDriver.load(std::memory_order_acquire);
  if (driver)
    return 0;
  const std::lock_guard<std::mutex> lock(loading);
  driver = openedDriver.load(std::memory_order_acquire);
  if (driver)
    return 0;
  const int code = openDriver(message);
  driver = openedDriver.load(std::memory_order_acquire);
  return code;
}

// Makes a context current while it lives, if it is not already.
class ContextScope {
public:
  ContextScope(const Driver &driver) : driver(driver) {}
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;
  ~ContextScope() {
    Context popped;
    if (pushed)
      driver.ctxPopCurrent(&popped);
  }

  Result enter(Context context) {
    const Result result = driver.ctxPushCurrent(context);
    pushed = result == 0;
    return result;
  }

private:
  const Driver &driver;
  bool pushed = false;
};

//===----------------------------------------------------------------------===//
// Checks that need no driver, in this order: null, rank, type, extents, requirements, scalars,
// strides and alignment, outputs, workspace, variant
//===----------------------------------------------------------------------===//

// A call in the form that the tables speak of.
struct Call {
  const trident_tensor *tensors[tensorCount];
  std::array<const void *, scalars.size()> scalarValues;
  Key key; // choices from the caller; the rest is found by the checks
  int64_t extents[dimensionCount];
  // The tensor and axis that an extent was read from; from tensorCount on, the scalar.
  int holderTensor[dimensionCount];
  int holderAxis[dimensionCount];
  bool absent[tensorCount]; // an optional output that the caller left out
  bool empty[tensorCount];
  uint64_t end[tensorCount]; // past the last byte, unless empty
  void *workspace;           // or null
};

// Room for "tensor.shape[0] (dimension) = 9223372036854775807".
using Text = char[160];

constexpr int hostDevice = -2;
// What a kernel that is given a workspace uses of it.
constexpr int workspaceBytes = 8;
// A tile that starts inside a tensor of this extent still ends within int32 coordinates.
constexpr int64_t maxExtent = 2147418112;

int elementBytes(const trident_tensor &tensor) { return (tensor.type & 0xff) / 8; }

const char *typeName(int32_t type, Text &text) {
  switch (static_cast<Type>(type)) {
  case Type::none:
    return "none";
  case Type::i32:
    return "i32";
  case Type::f16:
    return "f16";
  case Type::f32:
    return "f32";
  case Type::bf16:
    return "bf16";
  case Type::i1:
    return "bool";
  }
  static constexpr const char *kinds[] = {"i", "u", "f", "handle", "bf", "complex", "bool"};
  const int kind = type >> 8 & 0xff, bits = type & 0xff, lanes = (type >> 16) + 1;
  if (lanes > 1)
    std::snprintf(text, sizeof text, "%s%dx%d", kind < 7 ? kinds[kind] : "DLPack type ", bits,
                  lanes);
  else
    std::snprintf(text, sizeof text, "%s%d", kind < 7 ? kinds[kind] : "DLPack type ", bits);
  return text;
}

// How many elements more than the extent of its dimension an axis has.
int64_t extraOf(int tensor, int axis) {
  for (const AxisExtra &item : axisExtras)
    if (item.tensor == tensor && item.axis == axis)
      return item.extra;
  return 0;
}

const char *axisText(int tensor, int axis, int64_t extent, Text &text) {
  const char *dimension = dimensionNames[tensors[tensor].dimensions[axis]];
  if (const int64_t extra = extraOf(tensor, axis))
    std::snprintf(text, sizeof text, "%s.shape[%d] (%s + %lld) = %lld", tensors[tensor].name, axis,
                  dimension, static_cast<long long>(extra), static_cast<long long>(extent));
  else
    std::snprintf(text, sizeof text, "%s.shape[%d] (%s) = %lld", tensors[tensor].name, axis,
                  dimension, static_cast<long long>(extent));
  return text;
}

const char *dimensionText(const Call &call, int dimension, Text &text) {
  const int tensor = call.holderTensor[dimension], axis = call.holderAxis[dimension];
  const int64_t extent = call.extents[dimension];
  if (tensor < tensorCount)
    return axisText(tensor, axis, extent + extraOf(tensor, axis), text);
  const auto scalar = static_cast<size_t>(tensor - tensorCount);
  std::snprintf(text, sizeof text, "%s = %lld", scalars[scalar].name,
                static_cast<long long>(extent));
  return text;
}

// "bf16, f16 or f32"
void listValues(const ParameterRule &rule, Text &text) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < rule.count && used < sizeof text; ++i) {
    const char *separator = i == 0 ? "" : i + 1 == rule.count ? " or " : ", ";
    used += static_cast<size_t>(
        std::snprintf(text + used, sizeof text - used, "%s%s", separator, rule.values[i].name));
  }
}

bool isAllowed(const ParameterRule &rule, int64_t value) {
  for (int i = 0; i < rule.count; ++i)
    if (rule.values[i].value == value)
      return true;
  return false;
}

int checkPresence(Call &call, int index, Message message) {
  const trident_tensor &tensor = *call.tensors[index];
  const TensorRule &rule = tensors[index];
  call.absent[index] = rule.optional && !tensor.data && tensor.rank == 0;
  call.empty[index] = call.absent[index];
  if (call.absent[index])
    return 0;
  for (int axis = 0; axis < tensor.rank && axis < maxRank; ++axis)
    call.empty[index] |= tensor.shape[axis] == 0;
  if (!tensor.data && !call.empty[index])
    return message.fail(invalid, "%s.data is null: expected an address in device memory",
                        rule.name);
  if (tensor.device <= hostDevice)
    return message.fail(invalid, "%s is not in the memory of a CUDA device: copy it there first",
                        rule.name);
  if (tensor.rank != rule.rank)
    return message.fail(invalid, "%s.rank = %d must be %d", rule.name, tensor.rank, rule.rank);
  return 0;
}

int checkType(Call &call, int index, std::array<int, parameters.size()> &typeHolder,
              Message message) {
  const TensorRule &rule = tensors[index];
  const int32_t type = call.tensors[index]->type;
  Text actual, expected;
  if (rule.type != Type::none) {
    // A truth value is a byte, whatever the caller's library calls it.
    constexpr int32_t i8 = 0x008, u8 = 0x108;
    if (type == static_cast<int32_t>(rule.type) ||
        (rule.type == Type::i1 && (type == i8 || type == u8)))
      return 0;
    return message.fail(invalid, "%s.type = %s must be %s", rule.name, typeName(type, actual),
                        typeName(static_cast<int32_t>(rule.type), expected));
  }
  const auto parameter = static_cast<size_t>(rule.parameter);
  int &holder = typeHolder[parameter];
  if (holder < 0) {
    if (!isAllowed(parameters[parameter], type)) {
      listValues(parameters[parameter], expected);
      return message.fail(invalid, "%s.type = %s must be %s", rule.name, typeName(type, actual),
                          expected);
    }
    holder = index;
    call.key[parameter] = type;
  } else if (type != call.key[parameter]) {
    return message.fail(invalid, "%s.type = %s must equal %s.type = %s", rule.name,
                        typeName(type, actual), tensors[holder].name,
                        typeName(static_cast<int32_t>(call.key[parameter]), expected));
  }
  return 0;
}

int checkGivenExtent(Call &call, const GivenExtent &given, Message message) {
  int32_t extent;
  std::memcpy(&extent, call.scalarValues[given.scalar], sizeof extent);
  if (extent < 0)
    return message.fail(invalid, "%s = %d must not be negative: it is the extent of %s",
                        scalars[given.scalar].name, extent, dimensionNames[given.dimension]);
  if (extent > maxExtent)
    return message.fail(invalid, "%s = %d must be at most %lld: coordinates are int32",
                        scalars[given.scalar].name, extent, static_cast<long long>(maxExtent));
  call.holderTensor[given.dimension] = tensorCount + static_cast<int>(given.scalar);
  call.extents[given.dimension] = extent;
  return 0;
}

int checkExtents(Call &call, int index, Message message) {
  const trident_tensor &tensor = *call.tensors[index];
  Text actual, expected;
  for (int axis = 0; axis < tensor.rank; ++axis) {
    const int dimension = tensors[index].dimensions[axis];
    const int64_t shape = tensor.shape[axis], extra = extraOf(index, axis), extent = shape - extra;
    if (shape < 0)
      return message.fail(invalid, "%s must not be negative", axisText(index, axis, shape, actual));
    if (shape < extra)
      return message.fail(invalid, "%s must be at least %lld", axisText(index, axis, shape, actual),
                          static_cast<long long>(extra));
    if (shape > maxExtent)
      return message.fail(invalid, "%s must be at most %lld: coordinates are int32",
                          axisText(index, axis, shape, actual), static_cast<long long>(maxExtent));
    if (call.holderTensor[dimension] < 0) {
      call.holderTensor[dimension] = index;
      call.holderAxis[dimension] = axis;
      call.extents[dimension] = extent;
    } else if (extent != call.extents[dimension] && !(tensors[index].repeats && extent == 1)) {
      return message.fail(invalid, "%s must equal %s", axisText(index, axis, shape, actual),
                          dimensionText(call, dimension, expected));
    }
  }
  return 0;
}

const char *sideText(const Call &call, const Side &side, Text &text) {
  if (side.dimension >= 0)
    return dimensionText(call, side.dimension, text);
  std::snprintf(text, sizeof text, "%lld", static_cast<long long>(side.constant));
  return text;
}

int checkRequirement(const Call &call, const Requirement &rule, Message message) {
  const int64_t lhs = rule.lhs.dimension < 0 ? rule.lhs.constant : call.extents[rule.lhs.dimension];
  const int64_t rhs = rule.rhs.dimension < 0 ? rule.rhs.constant : call.extents[rule.rhs.dimension];
  const bool holds = rule.kind == Requirement::divides ? lhs == 0 || (rhs != 0 && lhs % rhs == 0)
                     : rule.kind == Requirement::lessEqual ? lhs <= rhs
                                                           : lhs == rhs;
  if (holds)
    return 0;
  Text left, right;
  sideText(call, rule.lhs, left);
  sideText(call, rule.rhs, right);
  if (rule.kind == Requirement::lessEqual)
    return message.fail(invalid, "%s must be at most %s", left, right);
  if (rule.kind == Requirement::equal)
    return message.fail(invalid, "%s must equal %s", left, right);
  if (rhs == 0)
    return message.fail(invalid, "%s must be positive: it must divide %s", right, left);
  if (rule.rhs.dimension < 0)
    return message.fail(invalid, "%s must be a multiple of %s", left, right);
  return message.fail(invalid, "%s must divide %s", right, left);
}

int checkScalar(const Call &call, size_t index, Message message) {
  if (scalars[index].type != Type::f32)
    return 0;
  float value;
  std::memcpy(&value, call.scalarValues[index], sizeof value);
  if (std::isfinite(value))
    return 0;
  const char *text = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  return message.fail(invalid, "%s = %s must be finite", scalars[index].name, text);
}

int failAddress(const char *name, uintptr_t address, uint64_t excess, int64_t alignment,
                const char *remedy, Message message) {
  return message.fail(invalid,
                      "%s.data = 0x%llx is %lld past a multiple of %lld bytes: expected an aligned "
                      "address (of the element [0, ...], not of the allocation)%s",
                      name, static_cast<unsigned long long>(address),
                      static_cast<long long>(excess), static_cast<long long>(alignment), remedy);
}

// What every kernel asks of a layout. Strides are ignored where the extent is 1 and in empty
// tensors.
int checkLayout(Call &call, int index, Message message) {
  const trident_tensor &tensor = *call.tensors[index];
  const TensorRule &rule = tensors[index];
  if (call.empty[index])
    return 0;
  const int64_t bytes = elementBytes(tensor);
  const auto address = reinterpret_cast<uintptr_t>(tensor.data);
  if (const uint64_t excess = address % static_cast<uint64_t>(bytes))
    return failAddress(rule.name, address, excess, bytes, "", message);
  int64_t last = 0; // byte offset of the last element
  for (int axis = 0; axis < rule.rank; ++axis) {
    const int64_t extent = tensor.shape[axis], stride = tensor.strides[axis];
    if (extent == 1)
      continue;
    const auto printed = static_cast<long long>(stride);
    if (stride < 0)
      return message.fail(invalid, "%s.strides[%d] = %lld must not be negative", rule.name, axis,
                          printed);
    int64_t step = 0, reach = 0;
    if (__builtin_mul_overflow(stride, bytes, &step) ||
        __builtin_mul_overflow(step, extent - 1, &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return message.fail(invalid, "%s.strides[%d] = %lld reaches past the address space",
                          rule.name, axis, printed);
  }
  if (static_cast<uint64_t>(last) + static_cast<uint64_t>(bytes) > UINT64_MAX - address)
    return message.fail(
        invalid, "%s reaches past the address space: it has %lld bytes from 0x%llx on", rule.name,
        static_cast<long long>(last + bytes), static_cast<unsigned long long>(address));
  call.end[index] = address + static_cast<uint64_t>(last + bytes);
  return 0;
}

// What one kernel asks besides.
int checkLayoutFor(const Call &call, int index, const LayoutRule &layout, Message message) {
  const trident_tensor &tensor = *call.tensors[index];
  const TensorRule &rule = tensors[index];
  if (call.empty[index])
    return 0;
  const int64_t bytes = elementBytes(tensor);
  // A power of two.
  const int64_t alignment = layout.alignment > bytes ? layout.alignment : bytes;
  const auto address = reinterpret_cast<uintptr_t>(tensor.data);
  if (const uint64_t excess = address & static_cast<uintptr_t>(alignment - 1))
    return failAddress(rule.name, address, excess, alignment, "; or compile with --any-layout",
                       message);
  const int innermost = rule.rank - 1;
  if (layout.contiguous && tensor.shape[innermost] > 1 && tensor.strides[innermost] != 1)
    return message.fail(invalid,
                        "%s.strides[%d] = %lld must be 1: elements along %s must be adjacent; or "
                        "compile with --any-layout",
                        rule.name, innermost, static_cast<long long>(tensor.strides[innermost]),
                        dimensionNames[rule.dimensions[innermost]]);
  for (int axis = 0; axis < rule.rank; ++axis) {
    if (tensor.shape[axis] == 1)
      continue;
    const int64_t step = tensor.strides[axis] * bytes;
    if (layout.mapped && step >= int64_t{1} << 40)
      return message.fail(
          invalid,
          "%s.strides[%d] = %lld (%lld bytes) must be below 1099511627776 bytes; or compile with "
          "--any-layout",
          rule.name, axis, static_cast<long long>(tensor.strides[axis]),
          static_cast<long long>(step));
    const bool adjacent = layout.contiguous && axis == innermost;
    if (!adjacent && (step & (alignment - 1)) != 0)
      return message.fail(invalid,
                          "%s.strides[%d] = %lld (%lld bytes) must be a multiple of %lld bytes: "
                          "pad that axis or copy the tensor; or compile with --any-layout",
                          rule.name, axis, static_cast<long long>(tensor.strides[axis]),
                          static_cast<long long>(step), static_cast<long long>(alignment));
  }
  return 0;
}

int checkLayoutFor(const Call &call, const VariantRule &rule, Message message) {
  for (int i = 0; i < tensorCount; ++i)
    if (const int code = checkLayoutFor(call, i, rule.layout[i], message))
      return code;
  return 0;
}

bool hasLayoutFor(const Call &call, const VariantRule &rule) {
  return checkLayoutFor(call, rule, Message{nullptr, 0}) == 0;
}

// The axes of a tensor that move the address, innermost first.
struct Axes {
  int count = 0;
  int axis[maxRank];
  uint64_t extent[maxRank];
  uint64_t step[maxRank]; // in bytes

  Axes(const trident_tensor &tensor) {
    for (int i = 0; i < tensor.rank; ++i) {
      if (tensor.shape[i] <= 1)
        continue;
      int place = count++;
      const auto bytes =
          static_cast<uint64_t>(tensor.strides[i]) * static_cast<uint64_t>(elementBytes(tensor));
      for (; place > 0 && step[place - 1] > bytes; --place) {
        axis[place] = axis[place - 1];
        extent[place] = extent[place - 1];
        step[place] = step[place - 1];
      }
      axis[place] = i;
      extent[place] = static_cast<uint64_t>(tensor.shape[i]);
      step[place] = bytes;
    }
  }

  // Bytes from the first to past the last one when only the `inner` innermost axes move.
  uint64_t span(int inner, uint64_t bytes) const {
    for (int i = 0; i < inner; ++i)
      bytes += (extent[i] - 1) * step[i];
    return bytes;
  }
};

// An output must not write one element twice: each axis must step over all that the axes inside it
// reach.
int checkInjective(const Call &call, int index, Message message) {
  const trident_tensor &tensor = *call.tensors[index];
  const Axes axes(tensor);
  const auto bytes = static_cast<uint64_t>(elementBytes(tensor));
  for (int i = 0; i < axes.count; ++i) {
    const int axis = axes.axis[i];
    const uint64_t reach = axes.span(i, bytes);
    if (axes.step[i] == 0)
      return message.fail(invalid,
                          "%s.strides[%d] = 0 must be positive: an output must not overlap itself",
                          tensors[index].name, axis);
    if (axes.step[i] < reach)
      return message.fail(
          invalid, "%s.strides[%d] = %lld must be at least %llu: an output must not overlap itself",
          tensors[index].name, axis, static_cast<long long>(tensor.strides[axis]),
          static_cast<unsigned long long>((reach + bytes - 1) / bytes));
  }
  return 0;
}

// Whether two tensors whose ranges of addresses meet may share a byte. "No" is certain; "yes" is
// not. They share none when, for some split of the axes into inner and outer ones, the inner
// ranges, repeated with the greatest common divisor of all outer steps, never meet. So slices of
// one packed buffer are told apart.
bool mayOverlap(const trident_tensor &a, const trident_tensor &b) {
  const auto first = reinterpret_cast<uintptr_t>(a.data);
  const auto second = reinterpret_cast<uintptr_t>(b.data);
  const auto bytesA = static_cast<uint64_t>(elementBytes(a));
  const auto bytesB = static_cast<uint64_t>(elementBytes(b));
  const Axes axesA(a), axesB(b);
  for (int innerA = axesA.count; innerA >= 0; --innerA) {
    for (int innerB = axesB.count; innerB >= 0; --innerB) {
      uint64_t period = 0;
      for (int i = innerA; i < axesA.count; ++i)
        period = std::gcd(period, axesA.step[i]);
      for (int i = innerB; i < axesB.count; ++i)
        period = std::gcd(period, axesB.step[i]);
      if (period == 0)
        continue;
      const uint64_t distance = second >= first ? (second - first) % period
                                                : (period - (first - second) % period) % period;
      if (axesA.span(innerA, bytesA) <= distance && distance + axesB.span(innerB, bytesB) <= period)
        return false;
    }
  }
  return true;
}

int checkOverlap(const Call &call, int output, int other, Message message) {
  if (call.empty[output] || call.empty[other])
    return 0;
  const trident_tensor &a = *call.tensors[output], &b = *call.tensors[other];
  if (call.end[output] <= reinterpret_cast<uintptr_t>(b.data) ||
      call.end[other] <= reinterpret_cast<uintptr_t>(a.data) || !mayOverlap(a, b))
    return 0;
  return message.fail(invalid,
                      "%s at %p must not overlap %s at %p: give the output memory of its own",
                      tensors[output].name, a.data, tensors[other].name, b.data);
}

int checkWorkspace(const Call &call, Message message) {
  const auto address = reinterpret_cast<uintptr_t>(call.workspace);
  if (!address)
    return 0;
  if (address % workspaceBytes)
    return message.fail(invalid, "workspace = %p must be a multiple of %d bytes", call.workspace,
                        workspaceBytes);
  trident_tensor words = {};
  words.data = call.workspace;
  words.rank = 1;
  words.type = static_cast<int32_t>(Type::i32);
  words.shape[0] = workspaceBytes / 4;
  words.strides[0] = 1;
  for (int i = 0; i < tensorCount; ++i)
    if (!call.empty[i] && address < call.end[i] &&
        reinterpret_cast<uintptr_t>(call.tensors[i]->data) < address + workspaceBytes &&
        mayOverlap(words, *call.tensors[i]))
      return message.fail(invalid,
                          "workspace at %p must not overlap %s at %p: give it memory of its own",
                          call.workspace, tensors[i].name, call.tensors[i]->data);
  return 0;
}

int checkChoice(const Call &call, size_t index, Message message) {
  const ParameterRule &rule = parameters[index];
  if (rule.kind != ParameterRule::choice || isAllowed(rule, call.key[index]))
    return 0;
  Text expected;
  listValues(rule, expected);
  return message.fail(invalid, "%s = %lld must be one of the values %s", rule.name,
                      static_cast<long long>(call.key[index]), expected);
}

// "dtype = bf16, head_dim = 96"
int failNoVariant(const Call &call, Message message) {
  char wanted[512] = "";
  size_t used = 0;
  for (size_t i = 0; i < parameters.size() && used < sizeof wanted; ++i) {
    Text number;
    std::snprintf(number, sizeof number, "%lld", static_cast<long long>(call.key[i]));
    const char *value = number;
    for (int v = 0; v < parameters[i].count; ++v)
      if (parameters[i].values[v].value == call.key[i])
        value = parameters[i].values[v].name;
    used += static_cast<size_t>(std::snprintf(wanted + used, sizeof wanted - used, "%s%s = %s",
                                              i ? ", " : "", parameters[i].name, value));
  }
  return message.fail(StatusCode::unsupported, "no variant for %s; %s: %s", wanted,
                      allChosen ? "compiled" : "ATTENTION_FWD_VARIANTS has",
                      allChosen ? compiled : chosen);
}

// Variants of a key lie side by side in byKey.
const int *firstWithKey(const Key &key) {
  return std::lower_bound(
      std::begin(byKey), std::end(byKey), key,
      [](int variant, const Key &wanted) { return rules[variant].key < wanted; });
}

bool hasKey(const int *variant, const Key &key) {
  return variant != std::end(byKey) && rules[*variant].key == key;
}

// One of the variants of the call's key, if there are any, takes its layout. What the first one
// asks is said where none does.
int checkLayoutOfKey(const Call &call, Message message) {
  const VariantRule *first = nullptr;
  for (const int *variant = firstWithKey(call.key); hasKey(variant, call.key); ++variant) {
    const VariantRule &rule = rules[*variant];
    if (!rule.ptx)
      continue;
    if (hasLayoutFor(call, rule))
      return 0;
    first = first ? first : &rule;
  }
  return first ? checkLayoutFor(call, *first, message) : 0;
}

// Runs all checks; afterwards the key and the extents of the call are known.
int checkCall(Call &call, Message message) {
  std::array<int, parameters.size()> typeHolder;
  typeHolder.fill(-1);
  for (int &holder : call.holderTensor)
    holder = -1;
  for (int i = 0; i < tensorCount; ++i)
    if (const int code = checkPresence(call, i, message))
      return code;
  for (int i = 0; i < tensorCount; ++i)
    if (!call.absent[i])
      if (const int code = checkType(call, i, typeHolder, message))
        return code;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (const int code = checkChoice(call, i, message))
      return code;
  for (const GivenExtent &given : givenExtents)
    if (const int code = checkGivenExtent(call, given, message))
      return code;
  // An extent of 1 that stands for all is held against the others.
  for (const bool repeats : {false, true})
    for (int i = 0; i < tensorCount; ++i)
      if (!call.absent[i] && tensors[i].repeats == repeats)
        if (const int code = checkExtents(call, i, message))
          return code;
  for (const Requirement &requirement : requirements)
    if (const int code = checkRequirement(call, requirement, message))
      return code;
  for (size_t i = 0; i < scalars.size(); ++i)
    if (const int code = checkScalar(call, i, message))
      return code;
  for (int i = 0; i < tensorCount; ++i)
    if (const int code = checkLayout(call, i, message))
      return code;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].kind == ParameterRule::extent)
      call.key[i] = call.extents[parameters[i].dimension];
  if (const int code = checkLayoutOfKey(call, message))
    return code;
  for (int i = 0; i < tensorCount; ++i)
    if (tensors[i].output && !call.empty[i])
      if (const int code = checkInjective(call, i, message))
        return code;
  for (int i = 0; i < tensorCount; ++i)
    for (int j = 0; tensors[i].output && j < tensorCount; ++j)
      if (j < i || !tensors[j].output)
        if (const int code = checkOverlap(call, i, j, message))
          return code;
  if (const int code = checkWorkspace(call, message))
    return code;
  for (const int *variant = firstWithKey(call.key); hasKey(variant, call.key); ++variant)
    if (rules[*variant].ptx)
      return 0;
  return failNoVariant(call, message);
}

//===----------------------------------------------------------------------===//
// Images and devices
//===----------------------------------------------------------------------===//

constexpr int maxDevices = 64;

// Handles of the library API belong to no context. `loading` guards the libraries.
struct Loaded {
  Library cubin, ptx;
  std::atomic<Kernel> kernel[maxDevices]; // null: not loaded for that device
};

Loaded loaded[variantCount];
std::atomic<int> architectures[maxDevices]; // compute capability * 10; 0: not asked yet

int deviceArchitecture(const Driver &driver, int device, Message message, int &architecture) {
  constexpr int majorAttribute = 75, minorAttribute = 76;
  if (device < 0 || device >= maxDevices)
    return message.fail(StatusCode::unsupported, "device %d must be below %d", device, maxDevices);
  architecture = architectures[device].load(std::memory_order_relaxed);
  if (architecture)
    return 0;
  int major = 0, minor = 0;
  Result result = driver.deviceGetAttribute(&major, majorAttribute, device);
  if (result == 0)
    result = driver.deviceGetAttribute(&minor, minorAttribute, device);
  if (result != 0)
    return driver.fail(message, "cuDeviceGetAttribute", result);
  architecture = major * 10 + minor;
  architectures[device].store(architecture, std::memory_order_relaxed);
  return 0;
}

// Whether the PTX of a variant may run on a device. That of an `a` target is not forward
// compatible.
bool runsOn(const VariantRule &rule, int architecture) {
  if (rule.target.family == 'a')
    return architecture == rule.target.architecture;
  if (rule.target.family == 'f')
    return architecture >= rule.target.architecture &&
           architecture / 10 == rule.target.architecture / 10;
  return architecture >= rule.target.architecture;
}

// The product of the extents of some dimensions. One of INT64_MAX and more counts as the greatest
// number below, so that it is in a range without an upper bound.
int64_t product(const int (&factors)[maxFactors], const int64_t *extents) {
  constexpr int64_t greatest = INT64_MAX - 1;
  int64_t result = 1;
  for (int dimension : factors) {
    if (dimension < 0)
      break;
    const int64_t extent = extents[dimension];
    result = extent != 0 && result > greatest / extent ? greatest : result * extent;
  }
  return result;
}

// Whether a variant is linked, and for calls of the extents of that one; null: for some call.
bool takes(const VariantRule &rule, const Call *call) {
  if (!rule.ptx)
    return false;
  for (const SizeRange &size : rule.sizes) {
    const int64_t value = call ? product(size.dimensions, call->extents) : size.atLeast;
    if (value < size.atLeast || value >= size.below)
      return false;
  }
  return true;
}

// The variant for a key: of those that run on the device, the one for the latest architecture, of
// equals the one that runs on fewer, and of equals the first one, whose layout the call has. -1:
// none.
int findVariant(const Key &key, const Call *call, int architecture) {
  int best = -1;
  for (const int *variant = firstWithKey(key); hasKey(variant, key); ++variant) {
    const int i = *variant;
    if (!takes(rules[i], call) || !runsOn(rules[i], architecture) ||
        (call && !hasLayoutFor(*call, rules[i])))
      continue;
    if (best < 0 || rules[i].target.architecture > rules[best].target.architecture ||
        (rules[i].target.architecture == rules[best].target.architecture &&
         rules[best].target.family == 0 && rules[i].target.family != 0))
      best = i;
  }
  return best;
}

// Loads one image, once, and readies its kernel for the device of the current context.
Result loadImage(const Driver &driver, const char *image, const VariantRule &rule, int device,
                 Library &library, Kernel &kernel) {
  constexpr int maxDynamicSharedAttribute = 8;
  Library opened = library;
  Result result = 0;
  if (!opened)
    result = driver.libraryLoadData(&opened, image, nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (result != 0)
    return result;
  result = driver.libraryGetKernel(&kernel, opened, rule.symbol);
  if (result == 0 && rule.sharedBytes > 0)
    result = driver.kernelSetAttribute(maxDynamicSharedAttribute,
                                       static_cast<int>(rule.sharedBytes), kernel, device);
  // The driver may load lazily: this makes it happen here, not in a launch that is being captured.
  Function function = nullptr;
  if (result == 0)
    result = driver.kernelGetFunction(&function, kernel);
  if (result == 0)
    library = opened;
  else if (!library)
    driver.libraryUnload(opened);
  return result;
}

// Loads a variant for the device of the current context; `loading` is held.
int loadVariant(const Driver &driver, int variant, int device, int architecture, Message message) {
  constexpr int maxSharedAttribute = 97; // a block's most, after opting in
  const VariantRule &rule = rules[variant];
  Loaded &state = loaded[variant];
  if (state.kernel[device].load(std::memory_order_acquire))
    return 0;
  int available = 0;
  if (const Result result = driver.deviceGetAttribute(&available, maxSharedAttribute, device))
    return driver.fail(message, "cuDeviceGetAttribute", result);
  if (rule.sharedBytes > static_cast<unsigned>(available))
    return message.fail(StatusCode::unsupported,
                        "a block takes %u bytes of shared memory, but device %d has %d",
                        rule.sharedBytes, device, available);
  Kernel kernel = nullptr;
  Result cubinResult = 0, ptxResult = 0;
  const bool exact = rule.cubin && architecture == rule.target.architecture;
  if (exact)
    cubinResult = loadImage(driver, rule.cubin, rule, device, state.cubin, kernel);
  if (!exact || cubinResult != 0)
    ptxResult = loadImage(driver, rule.ptx, rule, device, state.ptx, kernel);
  if (ptxResult != 0)
    return message.fail(
        StatusCode::unsupported,
        "the driver (CUDA %d.%d) loads no image for %s on device %d: cubin %s, PTX %s (%d)",
        driver.version / 1000, driver.version % 1000 / 10, rule.target.name, device,
        exact ? driver.errorName(cubinResult) : "none", driver.errorName(ptxResult), ptxResult);
  state.kernel[device].store(kernel, std::memory_order_release);
  return 0;
}

// Lets this thread load images while another one captures a stream.
class RelaxedCapture {
public:
  RelaxedCapture(const Driver &driver) : driver(driver) {
    driver.threadExchangeStreamCaptureMode(&mode);
  }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;
  ~RelaxedCapture() { driver.threadExchangeStreamCaptureMode(&mode); }

private:
  const Driver &driver;
  int mode = 2; // CU_STREAM_CAPTURE_MODE_RELAXED
};

// The first call of a variant on a device.
int loadForCall(const Driver &driver, int variant, int device, int architecture, Stream stream,
                Message message) {
  constexpr Result captureImplicit = 906; // the legacy stream, while another one is captured
  int capturing = 0;
  const Result result = driver.streamIsCapturing(stream, &capturing);
  if (result != 0 && result != captureImplicit)
    return driver.fail(message, "cuStreamIsCapturing", result);
  if (capturing || result == captureImplicit)
    return message.fail(
        StatusCode::notPrepared,
        "the first use is inside a stream capture: call prepare() before the capture begins");
  const std::lock_guard<std::mutex> lock(loading);
  const RelaxedCapture relaxed(driver);
  return loadVariant(driver, variant, device, architecture, message);
}

// Of what is linked for a key (null: for any), none runs on the device.
int failNoTarget(const Key *key, int device, int architecture, Message message) {
  char text[256] = "";
  size_t used = 0;
  std::string_view last;
  for (const VariantRule &rule : rules) {
    if (!rule.ptx || (key && rule.key != *key) || rule.target.name == last || used >= sizeof text)
      continue;
    last = rule.target.name;
    used += static_cast<size_t>(
        std::snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", rule.target.name));
  }
  return message.fail(StatusCode::unsupported,
                      "no variant for device %d of compute capability %d.%d; compiled: %s", device,
                      architecture / 10, architecture % 10, text);
}

// Of what runs on the device nothing takes the call's layout, or nothing runs on it.
int failVariant(const Call &call, int device, int architecture, Message message) {
  for (const int *variant = firstWithKey(call.key); hasKey(variant, call.key); ++variant)
    if (takes(rules[*variant], &call) && runsOn(rules[*variant], architecture))
      return checkLayoutFor(call, rules[*variant], message);
  return failNoTarget(&call.key, device, architecture, message);
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

int checkMemory(const Driver &driver, const char *name, const char *field, void *address,
                int device, Message message) {
  constexpr int hostMemory = 1;
  static constexpr int attributes[] = {2, 8, 9}; // MEMORY_TYPE, IS_MANAGED, DEVICE_ORDINAL
  unsigned memoryType = 0, managed = 0;
  int ordinal = -1;
  void *values[] = {&memoryType, &managed, &ordinal};
  const Result result =
      driver.pointerGetAttributes(3, attributes, values, reinterpret_cast<uintptr_t>(address));
  if (result != 0)
    return driver.fail(message, "cuPointerGetAttributes", result);
  if (managed)
    return 0;
  if (memoryType == 0 || memoryType == hostMemory)
    return message.fail(invalid, "%s%s = %p is host memory: expected memory of device %d", name,
                        field, address, device);
  if (ordinal != device)
    return message.fail(invalid,
                        "%s%s = %p is on device %d, but the stream's context is on device %d", name,
                        field, address, ordinal, device);
  return 0;
}

// Each tensor that holds anything must lie on the device of the context, and the workspace.
int checkDevices(const Driver &driver, const Call &call, int device, Message message) {
  for (int i = 0; i < tensorCount; ++i) {
    const trident_tensor &tensor = *call.tensors[i];
    if (call.empty[i])
      continue;
    if (tensor.device >= 0 && tensor.device != device)
      return message.fail(invalid,
                          "%s.device = %d must equal the device of the stream's context, %d",
                          tensors[i].name, tensor.device, device);
    if (const int code =
            checkMemory(driver, tensors[i].name, ".data", tensor.data, device, message))
      return code;
  }
  return call.workspace ? checkMemory(driver, "workspace", "", call.workspace, device, message) : 0;
}

int gridBlocks(const Call &call, const VariantRule &rule, Message message, uint64_t &blocks) {
  constexpr uint64_t limit = 2147483647;
  blocks = 1;
  for (const GridFactor &item : rule.grid) {
    const auto extent = static_cast<uint64_t>(call.extents[item.dimension]);
    const auto tile = static_cast<uint64_t>(item.tile);
    uint64_t factor = (extent + tile - 1) / tile;
    if (item.plus >= 0) {
      const auto plus = static_cast<uint64_t>(call.extents[item.plus]);
      factor = plus ? extent / tile + plus : 0;
    }
    // Each factor is below 2^31 and so was the product.
    blocks = blocks > limit ? blocks : blocks * factor;
  }
  if (blocks <= limit)
    return 0;
  char text[512] = "";
  size_t used = 0;
  for (const GridFactor &item : rule.grid) {
    if (used >= sizeof text)
      break;
    const char *sign = used ? " * " : "", *name = dimensionNames[item.dimension];
    const auto extent = static_cast<long long>(call.extents[item.dimension]);
    char *to = text + used;
    const size_t room = sizeof text - used;
    used += static_cast<size_t>(
        item.plus < 0
            ? std::snprintf(to, room, "%sceil(%s = %lld / %d)", sign, name, extent, item.tile)
            : std::snprintf(to, room, "%s(%s = %lld / %d + %s = %lld)", sign, name, extent,
                            item.tile, dimensionNames[item.plus],
                            static_cast<long long>(call.extents[item.plus])));
  }
  return message.fail(invalid, "the grid of %s blocks must be at most 2147483647", text);
}

// CUtensorMapDataType
int elementCode(int32_t type) {
  switch (static_cast<Type>(type)) {
  case Type::i32:
    return 3;
  case Type::f16:
    return 6;
  case Type::f32:
    return 7;
  default:
    return 9; // bf16
  }
}

// An address that is legal in a tensor map: that of a mapped tensor that is not empty, or of any,
// rounded down.
void *standInAddress(const Call &call, const VariantRule &rule) {
  uintptr_t address = 16;
  for (int i = 0; i < tensorCount; ++i)
    if (!call.empty[i])
      address = reinterpret_cast<uintptr_t>(call.tensors[i]->data);
  for (int i = 0; i < tensorCount; ++i)
    if (!call.empty[i] && rule.layout[i].mapped)
      address = reinterpret_cast<uintptr_t>(call.tensors[i]->data);
  return reinterpret_cast<void *>(address / 16 * 16);
}

// What a tensor map says, innermost axis first.
struct MapLayout {
  static constexpr int mostAxes = maxRank + 1;
  uint32_t rank = 0;
  uint64_t extents[mostAxes], strides[mostAxes];
  uint32_t box[mostAxes], ones[mostAxes];

  void add(uint64_t extent, uint64_t stride, int boxExtent) {
    extents[rank] = extent;
    strides[rank] = stride;
    box[rank] = static_cast<uint32_t>(boxExtent);
    ones[rank++] = 1;
  }
};

// The rows of the longest sequence that a map allows.
uint64_t mostRows(const Call &call, const Operand &operand) {
  const int64_t most = call.extents[operand.sequences];
  return most > 1 ? static_cast<uint64_t>(most) : 1;
}

// Describes a tensor to the copy engine: its axes innermost first, whatever the order of their
// strides; what is outside reads as zero. An empty tensor is never read: it is given extents of 1
// and a stand-in's address. Where sequences lie along an axis, the kernel fetches row i of one that
// ends before row `end` at (most - length + i, end) along two dimensions that both have the stride
// of that axis: rows past its end are outside the first. Only the map's address, `most` rows before
// the tensor's, lies outside the tensor; no access does.
Result encodeMap(const Driver &driver, const Call &call, const VariantRule &rule,
                 const Operand &operand, TensorMap &map) {
  constexpr int promoteTo256Bytes = 3;
  const trident_tensor &tensor = *call.tensors[operand.index];
  const bool empty = call.empty[operand.index];
  const auto bytes = static_cast<uint64_t>(elementBytes(tensor));
  auto address = reinterpret_cast<uintptr_t>(empty ? standInAddress(call, rule) : tensor.data);
  MapLayout layout;
  uint64_t row = 16; // a legal stride for an axis that has none of its own
  if (!empty)
    row = (static_cast<uint64_t>(tensor.shape[tensor.rank - 1]) * bytes + 15) / 16 * 16;
  for (int axis = tensor.rank - 1; axis >= 0; --axis) {
    const auto extent = static_cast<uint64_t>(empty ? 1 : tensor.shape[axis]);
    const uint64_t stride = extent == 1 ? row : static_cast<uint64_t>(tensor.strides[axis]) * bytes;
    if (operand.sequences < 0 || operand.axis != axis) {
      layout.add(extent, stride, operand.box[axis]);
      continue;
    }
    const uint64_t most = empty ? 1 : mostRows(call, operand);
    layout.add(most, stride, operand.box[axis]);
    layout.add(empty ? 1 : extent + 1, stride, 1);
    address -= empty ? 0 : most * stride;
  }
  const int swizzle = operand.swizzle == 128  ? 3
                      : operand.swizzle == 64 ? 2
                      : operand.swizzle == 32 ? 1
                                              : 0;
  return driver.tensorMapEncodeTiled(&map, elementCode(tensor.type), layout.rank,
                                     reinterpret_cast<void *>(address), layout.extents,
                                     layout.strides + 1, layout.box, layout.ones, 0, swizzle,
                                     promoteTo256Bytes, 0);
}

// A map of sequences begins before its tensor, but not before address 0.
int checkReach(const Call &call, const Operand &operand, Message message) {
  if (operand.sequences < 0 || call.empty[operand.index])
    return 0;
  const trident_tensor &tensor = *call.tensors[operand.index];
  const auto address = reinterpret_cast<uintptr_t>(tensor.data);
  const int64_t stride = tensor.strides[operand.axis] * elementBytes(tensor);
  uint64_t reach = 0;
  if (tensor.shape[operand.axis] == 1 ||
      (!__builtin_mul_overflow(static_cast<uint64_t>(stride), mostRows(call, operand), &reach) &&
       reach <= address))
    return 0;
  Text most;
  return message.fail(
      invalid, "%s.strides[%d] = %lld (%lld bytes) times %s must be at most the address, %p",
      tensors[operand.index].name, operand.axis,
      static_cast<long long>(tensor.strides[operand.axis]), static_cast<long long>(stride),
      dimensionText(call, operand.sequences, most), tensor.data);
}

// What an item of sequences weighs is in memory, so no order that is fixed before evens it out.
// Without a workspace the device hands the items out, a block each.
bool isOneItemABlock(const Call &call, const VariantRule &rule, uint64_t items) {
  constexpr uint64_t most = 1 << 24; // the kernel adds and doubles the number in 32 bits
  if (call.workspace || items > most)
    return false;
  for (const Operand &operand : rule.operands)
    if (operand.sequences >= 0)
      return true;
  return false;
}

int launchVariant(const Driver &driver, const Call &call, const VariantRule &rule, Kernel kernel,
                  unsigned blocks, Stream stream, Message message) {
  TensorMap maps[maxMaps];
  uint64_t values[maxOperands];
  void *pointers[maxOperands];
  int mapCount = 0;
  int count = 0;
  for (const Operand &operand : rule.operands) {
    uint64_t &value = values[count];
    void *&pointer = pointers[count++];
    pointer = &value;
    switch (operand.kind) {
    case Operand::tensorMap: {
      if (const int code = checkReach(call, operand, message))
        return code;
      TensorMap &map = maps[mapCount++];
      const Result result = encodeMap(driver, call, rule, operand, map);
      if (result != 0)
        return message.fail(
            StatusCode::driverError,
            "the driver refuses the layout of %s: cuTensorMapEncodeTiled gave %s (%d)",
            tensors[operand.index].name, driver.errorName(result), result);
      pointer = &map;
      break;
    }
    case Operand::pointer:
      value = call.empty[operand.index]
                  ? 0
                  : reinterpret_cast<uintptr_t>(call.tensors[operand.index]->data);
      break;
    case Operand::stride: {
      const trident_tensor &tensor = *call.tensors[operand.index];
      const bool moves = !call.empty[operand.index] && tensor.shape[operand.axis] > 1;
      value = moves ? static_cast<uint64_t>(tensor.strides[operand.axis]) : 0;
      break;
    }
    case Operand::extent: {
      const auto extent = static_cast<int32_t>(call.extents[operand.index]);
      std::memcpy(&value, &extent, sizeof extent);
      break;
    }
    case Operand::scalar:
      std::memcpy(&value, call.scalarValues[static_cast<size_t>(operand.index)], 4);
      break;
    case Operand::workspace:
      value = reinterpret_cast<uintptr_t>(call.workspace);
      break;
    case Operand::ticket:
      value = detail::nextTicket();
      break;
    }
  }
  const Result result =
      driver.launchKernel(reinterpret_cast<Function>(kernel), blocks, 1, 1, rule.threads, 1, 1,
                          rule.sharedBytes, stream, pointers, nullptr);
  return result == 0 ? 0 : driver.fail(message, "cuLaunchKernel", result);
}

// A stream of the caller's own, not one of the two default streams.
bool isNamed(Stream stream) { return reinterpret_cast<uintptr_t>(stream) > 2; }

int launchCall(Call &call, Stream stream, Message message) {
  if (const int code = checkCall(call, message))
    return code;
  bool anyOutput = false;
  for (int i = 0; i < tensorCount; ++i)
    anyOutput |= tensors[i].output && !call.empty[i];
  if (!anyOutput)
    return 0;

  const Driver *driver = nullptr;
  if (const int code = getDriver(message, driver))
    return code;
  Context current = nullptr, context = nullptr;
  if (const Result result = driver->ctxGetCurrent(&current))
    return driver->fail(message, "cuCtxGetCurrent", result);
  context = current;
  if (isNamed(stream))
    if (const Result result = driver->streamGetCtx(stream, &context))
      return driver->fail(message, "cuStreamGetCtx", result);
  if (!context)
    return message.fail(
        invalid, "no CUDA context is current: make one current, or pass a stream of your own");
  ContextScope scope(*driver);
  if (context != current)
    if (const Result result = scope.enter(context))
      return driver->fail(message, "cuCtxPushCurrent", result);
  int device = -1;
  if (const Result result = driver->ctxGetDevice(&device))
    return driver->fail(message, "cuCtxGetDevice", result);
  if (const int code = checkDevices(*driver, call, device, message))
    return code;

  int architecture = 0;
  if (const int code = deviceArchitecture(*driver, device, message, architecture))
    return code;
  const int variant = findVariant(call.key, &call, architecture);
  if (variant < 0)
    return failVariant(call, device, architecture, message);
  uint64_t blocks = 0;
  if (const int code = gridBlocks(call, rules[variant], message, blocks))
    return code;
  if (blocks == 0)
    return 0;
  if (rules[variant].persistent && !isOneItemABlock(call, rules[variant], blocks)) {
    constexpr int multiprocessorsAttribute = 16;
    int multiprocessors = 0;
    if (const Result result =
            driver->deviceGetAttribute(&multiprocessors, multiprocessorsAttribute, device))
      return driver->fail(message, "cuDeviceGetAttribute", result);
    blocks = blocks < static_cast<uint64_t>(multiprocessors)
                 ? blocks
                 : static_cast<uint64_t>(multiprocessors);
  }
  const std::atomic<Kernel> &kernel = loaded[variant].kernel[device];
  if (!kernel.load(std::memory_order_acquire))
    if (const int code = loadForCall(*driver, variant, device, architecture, stream, message))
      return code;
  return launchVariant(*driver, call, rules[variant], kernel.load(std::memory_order_acquire),
                       static_cast<unsigned>(blocks), stream, message);
}

int prepareDevice(Message message) {
  const Driver *driver = nullptr;
  if (const int code = getDriver(message, driver))
    return code;
  int device = -1, architecture = 0;
  if (driver->ctxGetDevice(&device) != 0)
    return message.fail(invalid, "no CUDA context is current: make one current before prepare()");
  if (const int code = deviceArchitecture(*driver, device, message, architecture))
    return code;
  const std::lock_guard<std::mutex> lock(loading);
  const RelaxedCapture relaxed(*driver);
  bool any = false;
  for (int i = 0; i < variantCount; ++i) {
    const int best = findVariant(rules[i].key, nullptr, architecture);
    if (!rules[i].ptx || best < 0 ||
        rules[best].target.architecture != rules[i].target.architecture ||
        rules[best].target.family != rules[i].target.family)
      continue;
    any = true;
    if (const int code = loadVariant(*driver, i, device, architecture, message))
      return code;
  }
  return any ? 0 : failNoTarget(nullptr, device, architecture, message);
}

} // namespace
} // namespace trident::attention_fwd

//===----------------------------------------------------------------------===//
// The C functions
//===----------------------------------------------------------------------===//

extern "C" int attention_fwd_launch(const attention_fwd_arguments *arguments, CUstream_st *stream,
                                    char *message, size_t message_bytes) {
  using namespace trident::attention_fwd;
  if (!arguments)
    return Message{message, message_bytes}.fail(invalid, "arguments is null");
  Call call = {};
  call.tensors[tensor_q] = &arguments->q;
  call.tensors[tensor_k] = &arguments->k;
  call.tensors[tensor_v] = &arguments->v;
  call.tensors[tensor_o] = &arguments->o;
  call.tensors[tensor_lse] = &arguments->lse;
  call.scalarValues[scalar_scale] = &arguments->scale;
  call.key[parameter_causal] = arguments->causal;
  return launchCall(call, stream, Message{message, message_bytes});
}

extern "C" int attention_fwd_prepare(char *message, size_t message_bytes) {
  using namespace trident::attention_fwd;
  return prepareDevice(Message{message, message_bytes});
}

//===----------------------------------------------------------------------===//
// The images
//===----------------------------------------------------------------------===//

namespace trident::attention_fwd {
namespace {
// clang-format off
// Compilers need not take literals of more than 65536 bytes, but all do.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
alignas(16) const char ptx0[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_64_none(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx1[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_64_top_left(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx2[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_64_bottom_right(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx3[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_128_none(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx4[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_128_top_left(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx5[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_128_bottom_right(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx6[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_f16_64_none(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx7[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_f16_64_top_left(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx8[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_f16_64_bottom_right(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx9[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_f16_128_none(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx10[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_f16_128_top_left(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char ptx11[] =
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_f16_128_bottom_right(\n"
    ".param .align 64 .b8 p0[128],\n"
    ".param .align 64 .b8 p1[128],\n"
    ".param .align 64 .b8 p2[128],\n"
    ".param .u64 p3,\n"
    ".param .s64 p4,\n"
    ".param .s64 p5,\n"
    ".param .s64 p6,\n"
    ".param .u64 p7,\n"
    ".param .s64 p8,\n"
    ".param .s64 p9,\n"
    ".param .s64 p10,\n"
    ".param .s32 p11,\n"
    ".param .s32 p12,\n"
    ".param .s32 p13,\n"
    ".param .s32 p14,\n"
    ".param .s32 p15,\n"
    ".param .f32 p16\n"
    ")\n"
    "{\n"
    "ret;\n"
    "}\n";
alignas(16) const char cubin0[] =
    "\177ELF\2\1\1\0\0fake cubin 01\0\?\n"
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_64_none(\n"
    "  .param .align 64 .b8 p0[128],\n"
    "  .param .align 64 .b8 p1[128],\n"
    "  .param .align 64 .b8 p2[128],\n"
    "  .param .u64 p3,\n"
    "  .param .s64 p4,\n"
    "  .param .s64 p5,\n"
    "  .param .s64 p6,\n"
    "  .param .u64 p7,\n"
    "  .param .s64 p8,\n"
    "  .param .s64 p9,\n"
    "  .param .s64 p10,\n"
    "  .param .s32 p11,\n"
    "  .param .s32 p12,\n"
    "  .param .s32 p13,\n"
    "  .param .s32 p14,\n"
    "  .param .s32 p15,\n"
    "  .param .f32 p16\n"
    ")\n"
    "{\n"
    "  ret;\n"
    "}\n";
alignas(16) const char cubin1[] =
    "\177ELF\2\1\1\0\0fake cubin 01\0\?\n"
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_64_top_left(\n"
    "  .param .align 64 .b8 p0[128],\n"
    "  .param .align 64 .b8 p1[128],\n"
    "  .param .align 64 .b8 p2[128],\n"
    "  .param .u64 p3,\n"
    "  .param .s64 p4,\n"
    "  .param .s64 p5,\n"
    "  .param .s64 p6,\n"
    "  .param .u64 p7,\n"
    "  .param .s64 p8,\n"
    "  .param .s64 p9,\n"
    "  .param .s64 p10,\n"
    "  .param .s32 p11,\n"
    "  .param .s32 p12,\n"
    "  .param .s32 p13,\n"
    "  .param .s32 p14,\n"
    "  .param .s32 p15,\n"
    "  .param .f32 p16\n"
    ")\n"
    "{\n"
    "  ret;\n"
    "}\n";
alignas(16) const char cubin2[] =
    "\177ELF\2\1\1\0\0fake cubin 01\0\?\n"
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_64_bottom_right(\n"
    "  .param .align 64 .b8 p0[128],\n"
    "  .param .align 64 .b8 p1[128],\n"
    "  .param .align 64 .b8 p2[128],\n"
    "  .param .u64 p3,\n"
    "  .param .s64 p4,\n"
    "  .param .s64 p5,\n"
    "  .param .s64 p6,\n"
    "  .param .u64 p7,\n"
    "  .param .s64 p8,\n"
    "  .param .s64 p9,\n"
    "  .param .s64 p10,\n"
    "  .param .s32 p11,\n"
    "  .param .s32 p12,\n"
    "  .param .s32 p13,\n"
    "  .param .s32 p14,\n"
    "  .param .s32 p15,\n"
    "  .param .f32 p16\n"
    ")\n"
    "{\n"
    "  ret;\n"
    "}\n";
alignas(16) const char cubin3[] =
    "\177ELF\2\1\1\0\0fake cubin 01\0\?\n"
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_128_none(\n"
    "  .param .align 64 .b8 p0[128],\n"
    "  .param .align 64 .b8 p1[128],\n"
    "  .param .align 64 .b8 p2[128],\n"
    "  .param .u64 p3,\n"
    "  .param .s64 p4,\n"
    "  .param .s64 p5,\n"
    "  .param .s64 p6,\n"
    "  .param .u64 p7,\n"
    "  .param .s64 p8,\n"
    "  .param .s64 p9,\n"
    "  .param .s64 p10,\n"
    "  .param .s32 p11,\n"
    "  .param .s32 p12,\n"
    "  .param .s32 p13,\n"
    "  .param .s32 p14,\n"
    "  .param .s32 p15,\n"
    "  .param .f32 p16\n"
    ")\n"
    "{\n"
    "  ret;\n"
    "}\n";
alignas(16) const char cubin4[] =
    "\177ELF\2\1\1\0\0fake cubin 01\0\?\n"
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_128_top_left(\n"
    "  .param .align 64 .b8 p0[128],\n"
    "  .param .align 64 .b8 p1[128],\n"
    "  .param .align 64 .b8 p2[128],\n"
    "  .param .u64 p3,\n"
    "  .param .s64 p4,\n"
    "  .param .s64 p5,\n"
    "  .param .s64 p6,\n"
    "  .param .u64 p7,\n"
    "  .param .s64 p8,\n"
    "  .param .s64 p9,\n"
    "  .param .s64 p10,\n"
    "  .param .s32 p11,\n"
    "  .param .s32 p12,\n"
    "  .param .s32 p13,\n"
    "  .param .s32 p14,\n"
    "  .param .s32 p15,\n"
    "  .param .f32 p16\n"
    ")\n"
    "{\n"
    "  ret;\n"
    "}\n";
alignas(16) const char cubin5[] =
    "\177ELF\2\1\1\0\0fake cubin 01\0\?\n"
    ".version 9.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    "\n"
    ".visible .entry attention_fwd_bf16_128_bottom_right(\n"
    "  .param .align 64 .b8 p0[128],\n"
    "  .param .align 64 .b8 p1[128],\n"
    "  .param .align 64 .b8 p2[128],\n"
    "  .param .u64 p3,\n"
    "  .param .s64 p4,\n"
    "  .param .s64 p5,\n"
    "  .param .s64 p6,\n"
    "  .param .u64 p7,\n"
    "  .param .s64 p8,\n"
    "  .param .s64 p9,\n"
    "  .param .s64 p10,\n"
    "  .param .s32 p11,\n"
    "  .param .s32 p12,\n"
    "  .param .s32 p13,\n"
    "  .param .s32 p14,\n"
    "  .param .s32 p15,\n"
    "  .param .f32 p16\n"
    ")\n"
    "{\n"
    "  ret;\n"
    "}\n";
#pragma GCC diagnostic pop
// clang-format on
} // namespace
} // namespace trident::attention_fwd

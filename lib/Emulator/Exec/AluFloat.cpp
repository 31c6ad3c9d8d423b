//===- AluFloat.cpp - Floating-point arithmetic ------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// f32 in the common modes has its own loops. All other types and roundings share one path: the
// operation is done in double, rounded to odd, and rounded once to the type (FloatFormat.h); f64
// uses the host's rounding mode.
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"
#include "Exec/Families.h"
#include "Exec/FloatFormat.h"
#include "Exec/Lanes.h"

#include <cfenv>

namespace trident::emu {
namespace {

enum : uint8_t { ftzFlag = 1, satFlag = 2, nanFlag = 4, reluFlag = 8, xorsignFlag = 16 };

//===----------------------------------------------------------------------===//
// f32, round to nearest
//===----------------------------------------------------------------------===//

template <bool ftz> float in(float value) { return ftz ? flush(value) : value; }
template <bool ftz> float out(float value) { return canonical(ftz ? flush(value) : value); }

template <bool ftz> struct AddF {
  float operator()(float a, float b) const { return out<ftz>(in<ftz>(a) + in<ftz>(b)); }
};
template <bool ftz> struct SubF {
  float operator()(float a, float b) const { return out<ftz>(in<ftz>(a) - in<ftz>(b)); }
};
template <bool ftz> struct MulF {
  float operator()(float a, float b) const { return out<ftz>(in<ftz>(a) * in<ftz>(b)); }
};
template <bool ftz> struct FmaF {
  float operator()(float a, float b, float c) const {
    return out<ftz>(std::fma(in<ftz>(a), in<ftz>(b), in<ftz>(c)));
  }
};

float lesser(float a, float b) {
  if (a != a)
    return canonical(b);
  if (b != b)
    return a;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
float greater(float a, float b) {
  if (a != a)
    return canonical(b);
  if (b != b)
    return a;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <bool ftz> struct MinF {
  float operator()(float a, float b) const { return lesser(in<ftz>(a), in<ftz>(b)); }
};
template <bool ftz> struct MaxF {
  float operator()(float a, float b) const { return greater(in<ftz>(a), in<ftz>(b)); }
};

template <template <bool> class F> Handler pick2(bool ftz) {
  return ftz ? binary<float, float, F<true>> : binary<float, float, F<false>>;
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

double minMax(double a, double b, bool isMin, unsigned flags) {
  if ((flags & nanFlag) && (a != a || b != b))
    return std::nan("");
  double result;
  double sign = 1;
  if (flags & xorsignFlag) {
    sign = std::signbit(a) != std::signbit(b) ? -1 : 1;
    a = std::fabs(a);
    b = std::fabs(b);
  }
  if (a != a)
    result = b;
  else if (b != b)
    result = a;
  else if (a == b)
    result = std::signbit(a) == isMin ? a : b;
  else
    result = (a < b) == isMin ? a : b;
  return flags & xorsignFlag ? std::copysign(result, sign) : result;
}

/// a + b rounded to odd; opposite values cancel to -0 when rounding down.
double sumOf(double a, double b, Rounding rounding) {
  double sum = oddSum(a, b);
  if (sum == 0 && std::signbit(a) != std::signbit(b))
    return rounding == Rounding::down ? -0.0 : 0.0;
  return sum;
}

/// The operation in double, exact or rounded to odd.
double compute(FloatOp op, double a, double b, double c, unsigned flags, Rounding rounding) {
  switch (op) {
  case FloatOp::add:
    return sumOf(a, b, rounding);
  case FloatOp::sub:
    return sumOf(a, -b, rounding);
  case FloatOp::mul:
    return a * b; // at most 24 x 24 bits
  case FloatOp::fma:
    return sumOf(a * b, c, rounding);
  case FloatOp::div: {
    double quotient = a / b;
    if (std::isinf(quotient) || quotient != quotient || quotient == 0 || std::isinf(b))
      return quotient;
    double remainder = std::fma(-quotient, b, a);
    return oddRounded(quotient, b < 0 ? -remainder : remainder);
  }
  case FloatOp::min:
  case FloatOp::max:
    return minMax(a, b, op == FloatOp::min, flags);
  case FloatOp::neg:
    return -a;
  case FloatOp::abs:
    return std::fabs(a);
  case FloatOp::copysign:
    return std::copysign(b, a);
  }
  return 0;
}

struct Element {
  const Format &format;
  bool isHalf, isBfloat;
  double read(uint32_t bits, unsigned flags) const {
    if (isHalf) {
      float value = halfToFloat(static_cast<uint16_t>(bits));
      return (flags & ftzFlag) && !(bits & 0x7c00) ? std::copysign(0.0f, value) : value;
    }
    if (isBfloat)
      return bfloatToFloat(static_cast<uint16_t>(bits));
    return flags & ftzFlag ? flush(floatOf(bits)) : floatOf(bits);
  }
  uint32_t write(double value, Rounding rounding, unsigned flags) const {
    if (flags & satFlag)
      value = value > 0 ? std::min(value, 1.0) : 0.0;
    if ((flags & reluFlag) && value < 0)
      value = 0;
    uint32_t bits = encode(value, format, rounding);
    uint32_t exponent = ((1u << format.exponentBits) - 1) << format.mantissaBits;
    if ((flags & ftzFlag) && !isBfloat && !(bits & exponent))
      bits &= 1u << (format.exponentBits + format.mantissaBits);
    return bits;
  }
};

const Element singleElement{singleFormat, false, false};
const Element halfElement{halfFormat, true, false};
const Element bfloatElement{bfloatFormat, false, true};

/// `kind`: operation, `space`: rounding, `flags`; `width`: 0 f32, 1 f16, 2 bf16, +4 packed.
void narrow(Warp &warp, const Instr &instr) {
  const Element &element = (instr.width & 3) == 1   ? halfElement
                           : (instr.width & 3) == 2 ? bfloatElement
                                                    : singleElement;
  FloatOp op = static_cast<FloatOp>(instr.kind);
  Rounding rounding = static_cast<Rounding>(instr.space);
  auto *d = warp.reg<uint32_t>(instr.d);
  const auto *a = warp.reg<uint32_t>(instr.a);
  const auto *b = instr.b == noSlot ? a : warp.reg<uint32_t>(instr.b);
  const auto *c = instr.c == noSlot ? a : warp.reg<uint32_t>(instr.c);
  bool packed = instr.width & 4;
  bool wide = (instr.width & 3) == 0;
  bool bitwise = op == FloatOp::neg || op == FloatOp::abs || op == FloatOp::copysign;
  warp.lanes([&](unsigned lane) {
    uint32_t result = 0;
    for (unsigned half = 0; half < (packed ? 2u : 1u); ++half) {
      auto part = [&](uint32_t value) { return wide ? value : value >> (16 * half) & 0xffff; };
      uint32_t x = part(a[lane]), y = part(b[lane]), z = part(c[lane]), value;
      uint32_t sign = wide ? 0x80000000 : 0x8000;
      if (bitwise) {
        value = op == FloatOp::neg   ? x ^ sign
                : op == FloatOp::abs ? x & ~sign
                                     : (y & ~sign) | (x & sign);
        uint32_t exponent = wide ? 0x7f800000 : 0x7c00;
        if ((instr.flags & ftzFlag) && !(value & exponent))
          value &= sign;
      } else {
        value =
            element.write(compute(op, element.read(x, instr.flags), element.read(y, instr.flags),
                                  element.read(z, instr.flags), instr.flags, rounding),
                          rounding, instr.flags);
      }
      result |= wide ? value : value << (16 * half);
    }
    d[lane] = result;
  });
}

int hostRounding(Rounding rounding) {
  switch (rounding) {
  case Rounding::zero:
    return FE_TOWARDZERO;
  case Rounding::down:
    return FE_DOWNWARD;
  case Rounding::up:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

double computeDouble(FloatOp op, double a, double b, double c, unsigned flags) {
  volatile double x = a, y = b;
  switch (op) {
  case FloatOp::add:
    return x + y;
  case FloatOp::sub:
    return x - y;
  case FloatOp::mul:
    return x * y;
  case FloatOp::fma:
    return std::fma(a, b, c);
  case FloatOp::div:
    return x / y;
  default:
    return compute(op, a, b, c, flags, Rounding::nearest);
  }
}

void doubles(Warp &warp, const Instr &instr) {
  FloatOp op = static_cast<FloatOp>(instr.kind);
  auto *d = warp.reg<uint64_t>(instr.d);
  const auto *a = warp.reg<uint64_t>(instr.a);
  const auto *b = instr.b == noSlot ? a : warp.reg<uint64_t>(instr.b);
  const auto *c = instr.c == noSlot ? a : warp.reg<uint64_t>(instr.c);
  int mode = hostRounding(static_cast<Rounding>(instr.space));
  int previous = std::fegetround();
  if (mode != previous)
    std::fesetround(mode);
  warp.lanes([&](unsigned lane) {
    d[lane] = patternOf(
        computeDouble(op, doubleOf(a[lane]), doubleOf(b[lane]), doubleOf(c[lane]), instr.flags));
  });
  if (mode != previous)
    std::fesetround(previous);
}

//===----------------------------------------------------------------------===//
// Functions of one argument
//===----------------------------------------------------------------------===//

enum class Function : uint8_t { rcp, sqrt, rsqrt, sin, cos, ex2, lg2, tanh };

double evaluate(Function function, double x) {
  switch (function) {
  case Function::rcp:
    return 1 / x;
  case Function::sqrt:
    return std::sqrt(x);
  case Function::rsqrt:
    return 1 / std::sqrt(x);
  case Function::sin:
    return std::sin(x);
  case Function::cos:
    return std::cos(x);
  case Function::ex2:
    return std::exp2(x);
  case Function::lg2:
    return std::log2(x);
  case Function::tanh:
    return std::tanh(x);
  }
  return 0;
}

/// rcp and sqrt rounded to odd, so that directed modes are right.
double evaluateOdd(Function function, double x) {
  double value = evaluate(function, x);
  if (std::isinf(value) || value != value || value == 0)
    return value;
  if (function == Function::sqrt)
    return oddRounded(value, std::fma(-value, value, x));
  if (function == Function::rcp && !std::isinf(x)) {
    double remainder = std::fma(-value, x, 1.0);
    return oddRounded(value, x < 0 ? -remainder : remainder);
  }
  return value;
}

void function32(Warp &warp, const Instr &instr) {
  const Element &element = (instr.width & 3) == 1   ? halfElement
                           : (instr.width & 3) == 2 ? bfloatElement
                                                    : singleElement;
  auto *d = warp.reg<uint32_t>(instr.d);
  const auto *a = warp.reg<uint32_t>(instr.a);
  Function function = static_cast<Function>(instr.kind);
  Rounding rounding = static_cast<Rounding>(instr.space);
  bool wide = (instr.width & 3) == 0, packed = instr.width & 4;
  warp.lanes([&](unsigned lane) {
    uint32_t result = 0;
    for (unsigned half = 0; half < (packed ? 2u : 1u); ++half) {
      uint32_t bits = wide ? a[lane] : a[lane] >> (16 * half) & 0xffff;
      uint32_t value = element.write(evaluateOdd(function, element.read(bits, instr.flags)),
                                     rounding, instr.flags);
      result |= wide ? value : value << (16 * half);
    }
    d[lane] = result;
  });
}

/// The approximations of f32, in the accuracy of the host: within the bounds the manual states.
template <Function function, bool ftz> void approximate(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<uint32_t>(instr.d);
  const auto *a = warp.reg<uint32_t>(instr.a);
  warp.lanes([=](unsigned lane) {
    float x = in<ftz>(floatOf(a[lane]));
    d[lane] = patternOf(out<ftz>(static_cast<float>(evaluate(function, x))));
  });
}

void function64(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<uint64_t>(instr.d);
  const auto *a = warp.reg<uint64_t>(instr.a);
  Function function = static_cast<Function>(instr.kind);
  int mode = hostRounding(static_cast<Rounding>(instr.space)), previous = std::fegetround();
  std::fesetround(mode);
  warp.lanes([=](unsigned lane) {
    volatile double x = doubleOf(a[lane]);
    d[lane] = patternOf(evaluate(function, x));
  });
  std::fesetround(previous);
}

Rounding takeRounding(Builder &build) {
  int mode = build.takeOneOf({"rn", "rz", "rm", "rp"});
  return mode < 0 ? Rounding::nearest : static_cast<Rounding>(mode);
}

uint8_t widthCode(Builder &build, Type type) {
  switch (type) {
  case Type::f32:
    return 0;
  case Type::f16:
    return 1;
  case Type::bf16:
    return 2;
  case Type::f16x2:
    return 5;
  case Type::bf16x2:
    return 6;
  default:
    build.fail(std::string("type .") + name(type) + " is not supported");
  }
}

void takeFlags(Builder &build) {
  Instr &instr = build.instr;
  instr.flags |= build.take("ftz") ? ftzFlag : 0;
  instr.flags |= build.take("sat") ? satFlag : 0;
  instr.flags |= build.take("NaN") ? nanFlag : 0;
  instr.flags |= build.take("relu") ? reluFlag : 0;
  bool sign = build.take("xorsign");
  if (sign && !build.take("abs"))
    build.fail("expected .abs after .xorsign");
  instr.flags |= sign ? xorsignFlag : 0;
}

template <Function function> Handler pickApproximation(bool ftz) {
  return ftz ? approximate<function, true> : approximate<function, false>;
}

void buildFunction(Builder &build, Function function) {
  bool approximately = build.take("approx");
  Instr &instr = build.instr;
  instr.space = static_cast<uint8_t>(takeRounding(build));
  takeFlags(build);
  Type type = build.takeType();
  build.expectOperands(2);
  instr.d = build.destination(0, bits(type));
  instr.a = build.sourceOf(1, type);
  instr.kind = static_cast<uint8_t>(function);
  if (type == Type::f64)
    return build.finish(function64);
  instr.width = widthCode(build, type);
  if (type != Type::f32 || !approximately || instr.flags & ~ftzFlag)
    return build.finish(function32);
  bool ftz = instr.flags & ftzFlag;
  switch (function) {
  case Function::rcp:
    return build.finish(pickApproximation<Function::rcp>(ftz));
  case Function::sqrt:
    return build.finish(pickApproximation<Function::sqrt>(ftz));
  case Function::rsqrt:
    return build.finish(pickApproximation<Function::rsqrt>(ftz));
  case Function::sin:
    return build.finish(pickApproximation<Function::sin>(ftz));
  case Function::cos:
    return build.finish(pickApproximation<Function::cos>(ftz));
  case Function::ex2:
    return build.finish(pickApproximation<Function::ex2>(ftz));
  case Function::lg2:
    return build.finish(pickApproximation<Function::lg2>(ftz));
  case Function::tanh:
    return build.finish(pickApproximation<Function::tanh>(ftz));
  }
}

/// testp: finite, infinite, number, notanumber, normal, subnormal.
template <typename T> void testp(Warp &warp, const Instr &instr) {
  const auto *a = warp.reg<Lane<T>>(instr.a);
  uint32_t result = 0;
  warp.lanes([&](unsigned lane) {
    int kind = std::fpclassify(get<T>(a[lane]));
    const bool answers[] = {
        kind != FP_NAN && kind != FP_INFINITE, kind == FP_INFINITE, kind != FP_NAN, kind == FP_NAN,
        kind == FP_NORMAL || kind == FP_ZERO,  kind == FP_SUBNORMAL};
    result |= uint32_t(answers[instr.kind]) << lane;
  });
  uint32_t &d = warp.predicate(instr.d);
  d = (d & ~warp.active) | result;
}

} // namespace

void buildFloat(Builder &build, Type type, FloatOp op) {
  Instr &instr = build.instr;
  build.take("approx");
  build.take("full");
  instr.space = static_cast<uint8_t>(takeRounding(build));
  takeFlags(build);
  unsigned sources = op == FloatOp::fma ? 3 : op == FloatOp::neg || op == FloatOp::abs ? 1 : 2;
  bool threeWay = (op == FloatOp::min || op == FloatOp::max) && build.operandCount() == 4;
  if (threeWay)
    build.fail("expected 2 sources: min and max of 3 need sm_100");
  build.expectOperands(1 + sources);
  instr.d = build.destination(0, bits(type));
  Slot *slots[] = {&instr.a, &instr.b, &instr.c};
  for (unsigned i = 0; i < sources; ++i)
    *slots[i] = build.sourceOf(1 + i, type);
  instr.kind = static_cast<uint8_t>(op);
  if (type == Type::f64)
    return build.finish(doubles);
  instr.width = widthCode(build, type);
  bool ftz = instr.flags & ftzFlag;
  if (type == Type::f32 && instr.space == 0 && !(instr.flags & ~ftzFlag)) {
    switch (op) {
    case FloatOp::add:
      return build.finish(pick2<AddF>(ftz));
    case FloatOp::sub:
      return build.finish(pick2<SubF>(ftz));
    case FloatOp::mul:
      return build.finish(pick2<MulF>(ftz));
    case FloatOp::min:
      return build.finish(pick2<MinF>(ftz));
    case FloatOp::max:
      return build.finish(pick2<MaxF>(ftz));
    case FloatOp::fma:
      return build.finish(ftz ? ternary<float, float, FmaF<true>>
                              : ternary<float, float, FmaF<false>>);
    default:
      break;
    }
  }
  build.finish(narrow);
}

void buildRcp(Builder &build) { buildFunction(build, Function::rcp); }
void buildSqrt(Builder &build) { buildFunction(build, Function::sqrt); }
void buildRsqrt(Builder &build) { buildFunction(build, Function::rsqrt); }
void buildSin(Builder &build) { buildFunction(build, Function::sin); }
void buildCos(Builder &build) { buildFunction(build, Function::cos); }
void buildEx2(Builder &build) { buildFunction(build, Function::ex2); }
void buildLg2(Builder &build) { buildFunction(build, Function::lg2); }
void buildTanh(Builder &build) { buildFunction(build, Function::tanh); }

void buildTestp(Builder &build) {
  int kind = build.takeOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (kind < 0)
    build.fail("expected a property such as .finite");
  Type type = build.takeType();
  build.instr.kind = static_cast<uint8_t>(kind);
  build.expectOperands(2);
  build.instr.d = build.destination(0, 1);
  build.instr.a = build.sourceOf(1, type);
  if (type != Type::f32 && type != Type::f64)
    build.fail(std::string("type .") + name(type) + " is not supported");
  build.finish(type == Type::f32 ? testp<float> : testp<double>);
}

} // namespace trident::emu

//===- ScheduleTable.cpp - Which schedule a kernel gets --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Schedule/ScheduleTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <optional>

using namespace trident;

namespace trident {
llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> embeddedSchedules();
} // namespace trident

// A JSON scalar as it is written on the command line.
static std::optional<std::string> spell(const llvm::json::Value &value) {
  if (auto text = value.getAsString())
    return text->str();
  if (auto number = value.getAsInteger())
    return std::to_string(*number);
  if (auto flag = value.getAsBoolean())
    return *flag ? "true" : "false";
  return std::nullopt;
}

// The members of an object in the order of their names: JSON gives them no other.
static std::vector<std::pair<llvm::StringRef, const llvm::json::Value *>>
members(const llvm::json::Object &object) {
  std::vector<std::pair<llvm::StringRef, const llvm::json::Value *>> list;
  for (const auto &member : object)
    list.emplace_back(member.first, &member.second);
  llvm::sort(list, llvm::less_first());
  return list;
}

// The fields of `object`; of its member objects, the members.
static llvm::Error addFields(const llvm::json::Object &object, ScheduleRow &row,
                             bool nested = false) {
  for (auto [name, value] : members(object)) {
    if (const llvm::json::Object *inner = value->getAsObject(); inner && !nested) {
      if (llvm::Error error = addFields(*inner, row, /*nested=*/true))
        return error;
    } else if (std::optional<std::string> text = spell(*value)) {
      row.fields.emplace_back(name.str(), *text);
    } else {
      return llvm::createStringError(
          "%s: schedule field '%s' is not an integer, a string or a boolean", row.place.c_str(),
          name.str().c_str());
    }
  }
  return llvm::Error::success();
}

static llvm::Error addCondition(llvm::StringRef key, const llvm::json::Value &value,
                                ScheduleRow &row) {
  ScheduleRow::Condition condition{key.str(), {}};
  const llvm::json::Array *list = value.getAsArray();
  for (size_t i = 0, end = list ? list->size() : 1; i != end; ++i) {
    std::optional<std::string> text = spell(list ? (*list)[i] : value);
    if (!text)
      return llvm::createStringError("%s: condition '%s' is not a value or an array of values",
                                     row.place.c_str(), condition.key.c_str());
    condition.values.push_back(*text);
  }
  row.conditions.push_back(std::move(condition));
  return llvm::Error::success();
}

// A bound of a `sizes` condition: absent is fine, anything but a positive integer is not.
static llvm::Error readBound(const llvm::json::Object &object, llvm::StringRef name,
                             llvm::StringRef size, const ScheduleRow &row,
                             std::optional<int64_t> &bound) {
  const llvm::json::Value *value = object.get(name);
  if (!value)
    return llvm::Error::success();
  bound = value->getAsInteger();
  if (bound && *bound > 0)
    return llvm::Error::success();
  return llvm::createStringError("%s: '%s' of size '%s' is not a positive integer",
                                 row.place.c_str(), name.data(), size.str().c_str());
}

static llvm::Error addSizes(const llvm::json::Value &value, ScheduleRow &row) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return llvm::createStringError("%s: expected a member 'sizes' that is an object",
                                   row.place.c_str());
  for (auto [size, member] : members(*object)) {
    const llvm::json::Object *bounds = member->getAsObject();
    std::optional<int64_t> atLeast, below;
    size_t known = bounds ? bool(bounds->get("at_least")) + size_t(bool(bounds->get("below"))) : 0;
    if (known == 0 || bounds->size() != known)
      return llvm::createStringError("%s: expected size '%s' to be an object of 'below', "
                                     "'at_least' or both",
                                     row.place.c_str(), size.str().c_str());
    if (llvm::Error error = readBound(*bounds, "at_least", size, row, atLeast))
      return error;
    if (llvm::Error error = readBound(*bounds, "below", size, row, below))
      return error;
    if (atLeast && below && *atLeast >= *below)
      return llvm::createStringError(
          "%s: size '%s' is at least %lld and below %lld: no extent is", row.place.c_str(),
          size.str().c_str(), static_cast<long long>(*atLeast), static_cast<long long>(*below));
    llvm::Expected<SizeFactors> factors = parseSizeFactors(size);
    if (!factors)
      return llvm::createStringError("%s: %s", row.place.c_str(),
                                     llvm::toString(factors.takeError()).c_str());
    if (llvm::any_of(row.sizes, [&](const SizeRange &other) { return other.factors == *factors; }))
      return llvm::createStringError("%s: size '%s' is there twice, in another order of its "
                                     "factors: put the bounds of both on one",
                                     row.place.c_str(), size.str().c_str());
    row.sizes.push_back({std::move(*factors), atLeast.value_or(0), below});
  }
  return llvm::Error::success();
}

static llvm::Error readRow(const llvm::json::Value &value, ScheduleRow &row) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return llvm::createStringError("%s: expected an object", row.place.c_str());
  const llvm::json::Object *schedule = object->getObject("schedule");
  if (!schedule)
    return llvm::createStringError("%s: expected a member 'schedule' that is an object",
                                   row.place.c_str());
  for (auto [key, member] : members(*object)) {
    if (key == "schedule")
      continue;
    if (llvm::Error error =
            key == "sizes" ? addSizes(*member, row) : addCondition(key, *member, row))
      return error;
  }
  return addFields(*schedule, row);
}

llvm::Error ScheduleTable::add(llvm::StringRef text, llvm::StringRef name, unsigned precedence) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::createStringError("%s: %s", name.str().c_str(),
                                   llvm::toString(value.takeError()).c_str());
  const llvm::json::Array *list = value->getAsArray();
  if (!list)
    return llvm::createStringError("%s: expected an array of rows", name.str().c_str());
  for (size_t i = 0; i != list->size(); ++i) {
    ScheduleRow row;
    row.place = name.str() + ", row " + std::to_string(i + 1);
    row.precedence = precedence;
    if (llvm::Error error = readRow((*list)[i], row))
      return error;
    rows.push_back(std::move(row));
  }
  return llvm::Error::success();
}

bool ScheduleRow::isFor(const ScheduleQuery &query) const {
  return llvm::all_of(conditions, [&](const ScheduleRow::Condition &condition) {
    if (condition.key == "target")
      return llvm::is_contained(condition.values, query.target);
    if (condition.key == "kernel")
      return llvm::is_contained(condition.values, query.kernel);
    return llvm::any_of(query.parameters, [&](const NameAndValue &parameter) {
      return parameter.first == condition.key &&
             llvm::is_contained(condition.values, parameter.second);
    });
  });
}

// Whether every extent of `inner` is one of `outer`.
static bool isWithin(const SizeRange &inner, const SizeRange &outer) {
  return inner.factors == outer.factors && inner.atLeast >= outer.atLeast &&
         (!outer.below || (inner.below && *inner.below <= *outer.below));
}

llvm::Expected<const ScheduleRow *>
ScheduleTable::lookup(const ScheduleQuery &query, llvm::ArrayRef<SizeRange> sizes,
                      llvm::ArrayRef<const ScheduleRow *> passedOver) const {
  auto isMet = [&](const ScheduleRow &row) {
    return row.isFor(query) && llvm::all_of(row.sizes, [&](const SizeRange &wanted) {
             return llvm::any_of(sizes,
                                 [&](const SizeRange &size) { return isWithin(size, wanted); });
           });
  };
  auto rank = [](const ScheduleRow &row) {
    return std::pair(row.precedence, row.conditions.size() + row.sizes.size());
  };
  const ScheduleRow *best = nullptr, *rival = nullptr;
  for (const ScheduleRow &row : rows) {
    if (!isMet(row) || llvm::is_contained(passedOver, &row))
      continue;
    if (!best || rank(row) > rank(*best))
      best = &row, rival = nullptr;
    else if (rank(row) == rank(*best))
      rival = &row;
  }
  if (rival)
    return llvm::createStringError("two schedules fit kernel '%s' on %s equally well: %s and %s; "
                                   "add a condition to one of them",
                                   query.kernel.str().c_str(), query.target.str().c_str(),
                                   best->place.c_str(), rival->place.c_str());
  return best;
}

// The outcome of reading the embedded tables: the table, or what is wrong with it.
static std::pair<ScheduleTable, std::string> readBuiltin() {
  std::pair<ScheduleTable, std::string> result;
  for (auto [name, text] : embeddedSchedules())
    if (llvm::Error error = result.first.add(text, name)) {
      result.second = llvm::toString(std::move(error));
      break;
    }
  return result;
}

llvm::Expected<const ScheduleTable &> trident::builtinSchedules() {
  static const std::pair<ScheduleTable, std::string> builtin = readBuiltin();
  if (!builtin.second.empty())
    return llvm::createStringError(builtin.second);
  return builtin.first;
}

llvm::Expected<std::vector<NameAndValue>> trident::lookupSchedule(const ScheduleQuery &query) {
  llvm::Expected<const ScheduleTable &> table = builtinSchedules();
  if (!table)
    return table.takeError();
  llvm::Expected<const ScheduleRow *> row = table->lookup(query);
  if (!row)
    return row.takeError();
  return *row ? (*row)->fields : std::vector<NameAndValue>();
}

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

static llvm::Error readRow(const llvm::json::Value &value, ScheduleRow &row) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return llvm::createStringError("%s: expected an object", row.place.c_str());
  const llvm::json::Object *schedule = object->getObject("schedule");
  if (!schedule)
    return llvm::createStringError("%s: expected a member 'schedule' that is an object",
                                   row.place.c_str());
  for (auto [key, member] : members(*object))
    if (key != "schedule")
      if (llvm::Error error = addCondition(key, *member, row))
        return error;
  return addFields(*schedule, row);
}

llvm::Error ScheduleTable::add(llvm::StringRef text, llvm::StringRef name) {
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
    if (llvm::Error error = readRow((*list)[i], row))
      return error;
    rows.push_back(std::move(row));
  }
  return llvm::Error::success();
}

llvm::Expected<const ScheduleRow *>
ScheduleTable::lookup(llvm::StringRef target, llvm::StringRef kernel,
                      llvm::ArrayRef<NameAndValue> parameters) const {
  auto isMet = [&](const ScheduleRow::Condition &condition) {
    if (condition.key == "target")
      return llvm::is_contained(condition.values, target);
    if (condition.key == "kernel")
      return llvm::is_contained(condition.values, kernel);
    return llvm::any_of(parameters, [&](const NameAndValue &parameter) {
      return parameter.first == condition.key &&
             llvm::is_contained(condition.values, parameter.second);
    });
  };
  const ScheduleRow *best = nullptr, *rival = nullptr;
  for (const ScheduleRow &row : rows) {
    if (!llvm::all_of(row.conditions, isMet))
      continue;
    if (!best || row.conditions.size() > best->conditions.size())
      best = &row, rival = nullptr;
    else if (row.conditions.size() == best->conditions.size())
      rival = &row;
  }
  if (rival)
    return llvm::createStringError("two schedules fit kernel '%s' on %s equally well: %s and %s; "
                                   "add a condition to one of them",
                                   kernel.str().c_str(), target.str().c_str(), best->place.c_str(),
                                   rival->place.c_str());
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

llvm::Expected<std::vector<NameAndValue>>
trident::lookupSchedule(llvm::StringRef target, llvm::StringRef kernel,
                        llvm::ArrayRef<NameAndValue> parameters) {
  llvm::Expected<const ScheduleTable &> table = builtinSchedules();
  if (!table)
    return table.takeError();
  llvm::Expected<const ScheduleRow *> row = table->lookup(target, kernel, parameters);
  if (!row)
    return row.takeError();
  return *row ? (*row)->fields : std::vector<NameAndValue>();
}

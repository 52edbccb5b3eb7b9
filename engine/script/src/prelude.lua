-- Replacements for functions of the VM that would show addresses, have no fixed order, or run long without counting steps.
-- Runs once, before the sandbox closes. Plain Lua 5.1.
local yield, charge, fail, match_pattern, end_pattern, act_as = ...
local type, select, next, rawget, ipairs = type, select, next, rawget, ipairs
local insert, remove, concat, sort, find = table.insert, table.remove, table.concat, table.sort, table.find
local unpack, native_tostring, native_tonumber = unpack, tostring, tonumber
local format, match, gmatch, gsub = string.format, string.match, string.gmatch, string.gsub

-- Types of values that `tostring` would show as an address; as keys they would be ordered by address.
local nameless = { table = true, ["function"] = true, thread = true }

function tostring(value)
  local kind = type(value)
  if nameless[kind] then
    return kind
  end
  return native_tostring(value)
end

function tonumber(value, base)
  if type(value) == "string" and #value > 64 then
    return nil
  end
  if base then
    return native_tonumber(value, base)
  end
  return native_tonumber(value)
end

function error(message)
  fail(message)
end

function assert(value, message, ...)
  if value then
    return value, message, ...
  end
  fail(message or "an assertion does not hold")
end

function pairs(list)
  for key in next, list do
    if nameless[type(key)] then
      fail("a table whose keys are tables or functions has no order: use a list")
    end
  end
  return next, list, nil
end

-- The VM itself appends at the end of a list, without coming here.
function table.insert(list, ...)
  if select("#", ...) > 1 then
    charge(#list)
  end
  insert(list, ...)
end

function table.remove(list, ...)
  if select("#", ...) > 0 then
    charge(#list)
  end
  return remove(list, ...)
end

function table.concat(list, ...)
  charge(#list)
  local text = concat(list, ...)
  charge(#text)
  return text
end

-- Without a function to compare, the VM counts no steps while it sorts. So texts are charged by their length, for each
-- comparison.
function table.sort(list, before)
  local count = #list
  charge(count * 8)
  if before then
    sort(list, before)
    return
  end
  local length, times = 0, 1
  for _, value in ipairs(list) do
    if type(value) == "string" then
      length = length + #value
    end
  end
  while count > 1 do
    count, times = count / 2, times + 1
  end
  charge(length * times / 4)
  sort(list)
end

function table.find(list, value)
  charge(#list)
  return find(list, value)
end

-- Every further call passes these values on without counting them, so their number is limited.
function table.unpack(list, first, last)
  first, last = first or 1, last or #list
  if last - first >= 250 then
    fail("`unpack` gives at most 250 values: go through the list instead")
  end
  charge(last - first)
  return unpack(list, first, last)
end

function string.format(pattern, ...)
  local values = { ... }
  local count = select("#", ...)
  for n = 1, count do
    local kind = type(values[n])
    if nameless[kind] then
      fail("`string.format` cannot show a " .. kind)
    elseif kind == "userdata" then
      values[n] = native_tostring(values[n])
    end
  end
  local text = format(pattern, unpack(values, 1, count))
  charge(#pattern + #text)
  return text
end

-- The VM counts a step for each position at which it tries to match. Each try may read the whole text (`%b()`, `.*`), and a
-- whole set (`[...]`) for every character.
local function begin_match(text, pattern)
  local effort = #text * #pattern
  charge(#text + #pattern)
  return match_pattern(effort)
end

local function end_match(before, ...)
  end_pattern(before)
  return ...
end

local function texts(text, pattern)
  if type(text) ~= "string" or type(pattern) ~= "string" then
    fail("a text and a pattern are expected")
  end
end

function string.match(text, pattern, ...)
  texts(text, pattern)
  return end_match(begin_match(text, pattern), match(text, pattern, ...))
end

function string.gmatch(text, pattern)
  texts(text, pattern)
  local step = gmatch(text, pattern)
  return function()
    return end_match(begin_match(text, pattern), step())
  end
end

function string.gsub(text, pattern, ...)
  texts(text, pattern)
  local changed, count = end_match(begin_match(text, pattern), gsub(text, pattern, ...))
  charge(#changed)
  return changed, count
end

-- Methods of `ctx` that are simpler in Lua; the host checks their arguments first.
local lists = {}

-- For filtered lists of pieces: the list before the filter. Other players know that list of a choice, but not the filter.
local wholes = setmetatable({}, { __mode = "k" })

local function remember(kept, list)
  wholes[kept] = wholes[list] or list
  return kept
end

-- After a list was gone through: fails if it holds more than the members that were seen.
local function ended(list, count)
  local key = nil
  if count > 0 then
    key = count
  end
  repeat
    key = next(list, key)
    if key == nil then
      return
    end
  until type(key) ~= "number" or key > count or key % 1 ~= 0
  fail("the list must be one such as { a, b }, but it has names, or nil before its end")
end

function lists.filter(list, fits)
  local kept, count = {}, 0
  for at, value in ipairs(list) do
    count = at
    if fits(value) then
      insert(kept, value)
    end
  end
  ended(list, count)
  return kept
end

-- A choice with `where` applied to `from`, and with the list before the filter as `among`.
local function narrowed(choice, from)
  local fits = choice.where
  local kept = from
  if type(fits) == "function" then
    kept = remember(lists.filter(from, fits), from)
  end
  if kept == choice.from and (choice.among or not wholes[kept]) then
    return choice
  end
  local told = {}
  for key, value in next, choice do
    told[key] = value
  end
  told.from, told.among = kept, choice.among or wholes[kept]
  if type(fits) == "function" then
    told.where = nil
  end
  return told
end

-- A list without the first of its members that is this value.
local function without(list, gone)
  local kept, is_gone = {}, false
  for _, value in ipairs(list) do
    if is_gone or value ~= gone then
      insert(kept, value)
    else
      is_gone = true
    end
  end
  return kept
end

function lists.take_while(list, fits)
  local kept, count = {}, 0
  for at, value in ipairs(list) do
    count = at
    if not fits(value) then
      return kept
    end
    insert(kept, value)
  end
  ended(list, count)
  return kept
end

function lists.take_until(list, fits)
  local kept, count = {}, 0
  for at, value in ipairs(list) do
    count = at
    if fits(value) then
      return kept
    end
    insert(kept, value)
  end
  ended(list, count)
  return {}
end

-- The members of a list, each once, as keys.
local function keys_of(list)
  local known, count = {}, 0
  for at, value in ipairs(list) do
    count = at
    known[value] = true
  end
  ended(list, count)
  return known
end

-- The members of a list that are, or are not, known.
local function sifted(list, known, wanted)
  local kept, count = {}, 0
  for at, value in ipairs(list) do
    count = at
    if (known[value] or false) == wanted then
      insert(kept, value)
    end
  end
  ended(list, count)
  return kept
end

function lists.intersection(list, other)
  return sifted(list, keys_of(other), true)
end

function lists.difference(list, other)
  return sifted(list, keys_of(other), false)
end

function lists.union(list, other)
  local kept, known = {}, {}
  for _, part in ipairs({ list, other }) do
    local count = 0
    for at, value in ipairs(part) do
      count = at
      if not known[value] then
        known[value] = true
        insert(kept, value)
      end
    end
    ended(part, count)
  end
  if wholes[list] or wholes[other] then
    wholes[kept] = lists.union(wholes[list] or list, wholes[other] or other)
  end
  return kept
end

function lists.first(list, fits)
  local count = 0
  for at, value in ipairs(list) do
    count = at
    if not fits or fits(value) then
      return value
    end
  end
  ended(list, count)
  return nil
end

function lists.last(list, fits)
  local last, count = nil, 0
  for at, value in ipairs(list) do
    count = at
    if not fits or fits(value) then
      last = value
    end
  end
  ended(list, count)
  return last
end

function lists.any(list, fits)
  local count = 0
  for at, value in ipairs(list) do
    count = at
    if not fits or fits(value) then
      return true
    end
  end
  ended(list, count)
  return false
end

function lists.none(list, fits)
  return not lists.any(list, fits)
end

-- Goes through what the members of a list are worth: each replaces what was kept so far, if there is a member.
local function fold(name, list, amount, keep)
  local kept, count = nil, 0
  for at, value in ipairs(list) do
    count = at
    local worth = amount(value)
    if type(worth) ~= "number" then
      fail("`ctx:" .. name .. "`: `amount` must give back a number")
    end
    kept = keep(kept, worth)
  end
  ended(list, count)
  return kept or 0
end

function lists.sum(list, amount)
  return fold("sum", list, amount, function(sum, worth)
    return (sum or 0) + worth
  end)
end

function lists.largest(list, amount)
  return fold("largest", list, amount, function(largest, worth)
    return (largest and largest > worth) and largest or worth
  end)
end

function lists.smallest(list, amount)
  return fold("smallest", list, amount, function(smallest, worth)
    return (smallest and smallest < worth) and smallest or worth
  end)
end

local ctx = {}
local make = {}
-- For each id of the pack the number by which the host knows it. A method passes the number, which the host reads faster than
-- a text. Any other text is passed as it is.
local words = {}
-- The `ctx` of each player by number, and the player of each such `ctx`.
local contexts, seats = {}, {}
-- The reply for a waiting method whose request has failed.
local failed = {}

local function dotted(name)
  fail("write `ctx:" .. name .. "(...)`, with a colon before `" .. name .. "`")
end

-- The next call of the host is for the player of a `ctx` that `ctx:as` made.
local function for_player(self, name)
  local seat = seats[self]
  if not seat then
    dotted(name)
  end
  act_as(seat)
end

-- For parameters that are no ids.
local none = {}

-- A method that changes or asks: the kernel does it at once, or while the script waits. The last three parameters say which of
-- the first three of the method may be ids.
function make.asking(name, request, first, second, third)
  if not first and not second and not third then
    return function(self, ...)
      if self ~= ctx then
        for_player(self, name)
      end
      local done, reply = request(...)
      if done then
        return reply
      end
      reply = yield()
      if reply == failed then
        fail("it failed")
      end
      return reply
    end
  end
  if not second and not third then
    return function(self, a, ...)
      if self ~= ctx then
        for_player(self, name)
      end
      local done, reply = request(words[a] or a, ...)
      if done then
        return reply
      end
      reply = yield()
      if reply == failed then
        fail("it failed")
      end
      return reply
    end
  end
  local firsts, seconds, thirds = first and words or none, second and words or none, third and words or none
  return function(self, a, b, c, ...)
    if self ~= ctx then
      for_player(self, name)
    end
    local done, reply = request(firsts[a] or a, seconds[b] or b, thirds[c] or c, ...)
    if done then
      return reply
    end
    reply = yield()
    if reply == failed then
      fail("it failed")
    end
    return reply
  end
end

local function is_count(n)
  return type(n) == "number" and n >= 0 and n % 1 == 0
end

-- One after the other is chosen until there are enough; others know how many there are, and which were chosen.
local function choose_several(ask, self, choice)
  local least, most = choice.least or 0, choice.most
  if least > most then
    fail("`ctx:choose`: `least` is " .. least .. ", but `most` is " .. most)
  end
  if choice.optional ~= nil then
    fail("`ctx:choose`: with `most`, `least` says how many must be chosen, so `optional` is left out")
  end
  if choice.in_secret then
    fail("`ctx:choose`: a choice of several tells others how many were chosen, so `in_secret` is left out")
  end
  local told = {}
  for key, value in next, choice do
    told[key] = value
  end
  told.least, told.most = nil, nil
  local chosen = {}
  while #chosen < most do
    told.optional = #chosen >= least
    local one = ask(self, told)
    if one == nil then
      break
    end
    insert(chosen, one)
    told.from = without(told.from, one)
    told.among = told.among and without(told.among, one)
  end
  return chosen
end

-- `choose`: from a zone or a list, by a condition, one or several.
function make.choosing(name, request, zone)
  local ask = make.asking(name, request)
  return function(self, choice, ...)
    if self ~= ctx and not seats[self] then
      dotted(name)
    end
    if type(choice) ~= "table" then
      return ask(self, choice, ...)
    end
    local from = choice.from
    if type(from) == "string" or type(from) == "userdata" then
      if self ~= ctx then
        act_as(seats[self])
      end
      from = zone(from)
    end
    if type(from) ~= "table" then
      return ask(self, choice, ...)
    end
    choice = narrowed(choice, from)
    if is_count(choice.most) and (choice.least == nil or is_count(choice.least)) then
      return choose_several(ask, self, choice)
    end
    return ask(self, choice, ...)
  end
end

-- `either`: the reply is the number of the way.
function make.naming(name, request)
  local ask = make.asking(name, request)
  return function(self, ways, ...)
    local number = ask(self, ways, ...)
    return type(ways) == "table" and ways[number] or ways
  end
end

-- A method that reads.
function make.reading(name, look, first, second, third)
  if not first and not second and not third then
    return function(self, ...)
      if self ~= ctx then
        for_player(self, name)
      end
      return look(...)
    end
  end
  if not second and not third then
    return function(self, a, ...)
      if self ~= ctx then
        for_player(self, name)
      end
      return look(words[a] or a, ...)
    end
  end
  local firsts, seconds, thirds = first and words or none, second and words or none, third and words or none
  return function(self, a, b, c, ...)
    if self ~= ctx then
      for_player(self, name)
    end
    return look(firsts[a] or a, seconds[b] or b, thirds[c] or c, ...)
  end
end

-- `as`: the `ctx` of another player.
function make.acting(name, check)
  return function(self, ...)
    if self ~= ctx then
      for_player(self, name)
    end
    return contexts[check(...)]
  end
end

-- A method that reads a set with a name: also what others know of it, if that is less.
function make.setting(name, look)
  return function(self, a, ...)
    if self ~= ctx then
      for_player(self, name)
    end
    local set, known = look(words[a] or a, ...)
    if known then
      wholes[set] = known
    end
    return set
  end
end

-- These give a part of a list: others do not know which.
local narrowing = { filter = true, take_while = true, take_until = true, intersection = true, difference = true }

-- A method that works on a list. `check` checks the arguments and returns whether it is a list of pieces.
function make.listing(name, check)
  local run = lists[name]
  if narrowing[name] then
    return function(self, list, ...)
      if self ~= ctx then
        for_player(self, name)
      end
      if check(list, ...) then
        return remember(run(list, ...), list)
      end
      return run(list, ...)
    end
  end
  return function(self, ...)
    if self ~= ctx then
      for_player(self, name)
    end
    check(...)
    return run(...)
  end
end

-- The fields of `ctx`.
function make.parts(part)
  return function(_, key)
    return part(key)
  end
end

-- The `ctx` of a player: `methods` and `part` as those of the first one. They are made before any script runs, so that no
-- script pays for them.
function make.of_player(number, seat, methods, part)
  local made = setmetatable({}, {
    __index = function(_, key)
      local method = rawget(methods, key)
      if method then
        return method
      end
      act_as(seat)
      return part(key)
    end,
  })
  contexts[number], seats[made] = made, seat
  return made
end

return ctx, make, failed, words

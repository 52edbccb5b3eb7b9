-- What scripts find in place of functions that would show addresses, have no fixed order, or work long without the
-- VM counting a step. Runs once, before the sandbox closes. Plain Lua 5.1.
local yield, charge, fail, match_pattern, end_pattern = ...
local type, select, next = type, select, next
local insert, remove, concat, sort, find = table.insert, table.remove, table.concat, table.sort, table.find
local unpack, native_tostring, native_tonumber = unpack, tostring, tonumber
local format, match, gmatch, gsub = string.format, string.match, string.gmatch, string.gsub

-- Values whose text would be an address, and whose order as keys would be by address.
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

-- Without a function to compare, nothing is counted while it sorts: texts count by their length, as often as each is
-- compared.
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

-- Every call hands on all values that it was given, uncounted: so there cannot be many.
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

-- The VM counts how often it begins to match, but may go through all of the text each time (`%b()`, `.*`), and through all of
-- a set (`[...]`) for every character.
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

-- Methods of `ctx` that are easier said in Lua; the host checks their arguments first.
local lists = {}

-- What lists of pieces were narrowed down from: others know that much of a choice, and no more.
local wholes = setmetatable({}, { __mode = "k" })

local function remember(kept, list)
  wholes[kept] = wholes[list] or list
  return kept
end

function lists.filter(list, fits)
  local kept = {}
  for _, value in ipairs(list) do
    if fits(value) then
      insert(kept, value)
    end
  end
  return kept
end

-- A choice with its `where` carried out, and with what it was narrowed down from.
local function narrowed(choice)
  if type(choice) ~= "table" or type(choice.from) ~= "table" then
    return choice
  end
  local fits = choice.where
  local from = choice.from
  if type(fits) == "function" then
    from = remember(lists.filter(from, fits), from)
  end
  if choice.among or not wholes[from] then
    if from == choice.from then
      return choice
    end
  end
  local told = {}
  for key, value in next, choice do
    told[key] = value
  end
  told.from, told.among = from, choice.among or wholes[from]
  if type(fits) == "function" then
    told.where = nil
  end
  return told
end

function lists.first(list, fits)
  for _, value in ipairs(list) do
    if not fits or fits(value) then
      return value
    end
  end
  return nil
end

function lists.any(list, fits)
  for _, value in ipairs(list) do
    if not fits or fits(value) then
      return true
    end
  end
  return false
end

function lists.sum(list, amount)
  local sum = 0
  for _, value in ipairs(list) do
    sum = sum + amount(value)
  end
  return sum
end

local ctx = {}
local make = {}
-- What a waiting method gets when what it wanted has failed.
local failed = {}

local function dotted(name)
  fail("write `ctx:" .. name .. "(...)`, with a colon before `" .. name .. "`")
end

-- A method that changes or asks: the host notes what is wanted, the kernel does it while the script waits.
function make.asking(name, note)
  local function ask(self, ...)
    if self ~= ctx then
      dotted(name)
    end
    note(...)
    local reply = yield()
    if reply == failed then
      fail("it failed")
    end
    return reply
  end
  if name ~= "choose" then
    return ask
  end
  return function(self, choice, ...)
    return ask(self, narrowed(choice), ...)
  end
end

-- A method that looks.
function make.reading(name, look)
  return function(self, ...)
    if self ~= ctx then
      dotted(name)
    end
    return look(...)
  end
end

-- A method that works on a list, after a check of its arguments, which says whether it is a list of pieces.
function make.listing(name, check)
  local run = lists[name]
  if name == "filter" then
    return function(self, list, ...)
      if self ~= ctx then
        dotted(name)
      end
      if check(list, ...) then
        return remember(run(list, ...), list)
      end
      return run(list, ...)
    end
  end
  return function(self, ...)
    if self ~= ctx then
      dotted(name)
    end
    check(...)
    return run(...)
  end
end

-- What `ctx` has besides methods.
function make.parts(part)
  return function(_, key)
    return part(key)
  end
end

return ctx, make, failed

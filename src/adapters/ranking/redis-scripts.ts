/**
 * What is done in Redis in one step each. A leaderboard's keys begin with `lb:{id}:`, so that a cluster keeps them together:
 *
 * - `generation`: the name of the present generation, which is part of all other keys: `lb:{id}:<generation>:...`
 * - `seq`: the number of the last change
 * - `entries`: a hash, the entries' JSON by id
 * - `front`: a set, the ids of those on the front
 * - `order:<metric>`: a sorted set of ids by their keys; equal ones are in the order of ids
 * - `leaders:<metric>`: those of them that lead a group
 *
 * Every script gets the key of the generation, and derives the others from it. Keys go in and out as text: Lua's own conversion
 * of numbers drops digits.
 */

/** What can be read; nothing, where a part of the database is gone. */
const preamble = `
local base = string.sub(KEYS[1], 1, -11)
local function present()
  local generation = redis.call('GET', KEYS[1])
  if not generation then return nil end
  local at = base .. generation .. ':'
  local seq = redis.call('GET', at .. 'seq')
  if not seq then return nil end
  return at, tonumber(seq)
end
local function total(at, metric)
  local entries = redis.call('ZCARD', at .. 'order:' .. metric)
  if entries ~= redis.call('HLEN', at .. 'entries') then return nil end
  return entries
end
local function leader(at, metric, id)
  local order = at .. 'order:' .. metric
  local key = redis.call('ZSCORE', order, id)
  local found = redis.call('ZREVRANGEBYSCORE', at .. 'leaders:' .. metric, key, '-inf', 'LIMIT', 0, 2)
  if not found[1] then return nil end
  -- One with the same key that stands after it leads the next group.
  if redis.call('ZRANK', order, found[1]) <= redis.call('ZRANK', order, id) then return found[1] end
  return found[2]
end
`;

/**
 * ARGV: the change's seq as text; its metrics, keys, leads and front as JSON; the id and the JSON of the entry that comes, or '' and '';
 * the id of the one that goes, or ''; a name for the first generation.
 */
export const applyScript = `${preamble}
local seq, change = tonumber(ARGV[1]), cjson.decode(ARGV[2])
local put, json, gone = ARGV[3], ARGV[4], ARGV[5]
local at, last = present()
if not at then
  if seq ~= 1 then return 'gap' end
  redis.call('SET', KEYS[1], ARGV[6])
  at, last = base .. ARGV[6] .. ':', 0
end
if seq <= last then return 'applied' end
if seq > last + 1 then return 'gap' end
if gone ~= '' then
  redis.call('HDEL', at .. 'entries', gone)
  for _, metric in ipairs(change.metrics) do
    redis.call('ZREM', at .. 'order:' .. metric, gone)
    redis.call('ZREM', at .. 'leaders:' .. metric, gone)
  end
end
if put ~= '' then
  redis.call('HSET', at .. 'entries', put, json)
  for i, metric in ipairs(change.metrics) do redis.call('ZADD', at .. 'order:' .. metric, change.keys[i], put) end
end
for _, lead in ipairs(change.leads) do
  local metric, id, leads = lead[1], lead[2], lead[3]
  local key = redis.call('ZSCORE', at .. 'order:' .. metric, id)
  if leads and key then redis.call('ZADD', at .. 'leaders:' .. metric, key, id)
  else redis.call('ZREM', at .. 'leaders:' .. metric, id) end
end
redis.call('DEL', at .. 'front')
for _, id in ipairs(change.front) do redis.call('SADD', at .. 'front', id) end
redis.call('SET', at .. 'seq', ARGV[1])
return 'applied'
`;

/** ARGV: all metrics. The number of the last change; 0 where anything is missing. */
export const seqScript = `${preamble}
local at, seq = present()
if not at then return '[0]' end
for _, metric in ipairs(ARGV) do
  local entries = total(at, metric)
  if not entries or (entries > 0 and redis.call('ZCARD', at .. 'leaders:' .. metric) == 0) then return '[0]' end
end
return cjson.encode({seq})
`;

/** ARGV: metric, from, how many at most. Seq, total; then for each row its rank, whether it is on the front, its JSON. */
export const pageScript = `${preamble}
local metric, from, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local at, seq = present()
local entries = at and total(at, metric)
if not entries then return '[0,0]' end
local answer = {seq, entries}
local ids = redis.call('ZRANGE', at .. 'order:' .. metric, from, from + limit - 1)
if limit < 1 or not ids[1] then return cjson.encode(answer) end
local leads = redis.call('ZMSCORE', at .. 'leaders:' .. metric, unpack(ids))
local fronts = redis.call('SMISMEMBER', at .. 'front', unpack(ids))
local jsons = redis.call('HMGET', at .. 'entries', unpack(ids))
local first = leader(at, metric, ids[1])
if not first then return '[0,0]' end
local rank = redis.call('ZRANK', at .. 'order:' .. metric, first) + 1
for i in ipairs(ids) do
  if leads[i] then rank = from + i end
  answer[#answer + 1] = rank
  answer[#answer + 1] = fronts[i]
  answer[#answer + 1] = jsons[i]
end
return cjson.encode(answer)
`;

/** ARGV: metric, id. Seq, total, position, rank, whether it is on the front, leader, leader above or '', JSON; only seq without such an entry. */
export const placeScript = `${preamble}
local metric, id = ARGV[1], ARGV[2]
local at, seq = present()
local entries = at and total(at, metric)
if not entries then return '[0]' end
local order = at .. 'order:' .. metric
local position = redis.call('ZRANK', order, id)
if not position then return cjson.encode({seq}) end
local first = leader(at, metric, id)
if not first then return '[0]' end
local key = redis.call('ZSCORE', order, first)
local above = redis.call('ZREVRANGEBYSCORE', at .. 'leaders:' .. metric, '(' .. key, '-inf', 'LIMIT', 0, 1)[1] or ''
return cjson.encode({seq, entries, position + 1, redis.call('ZRANK', order, first) + 1,
  redis.call('SISMEMBER', at .. 'front', id), first, above, redis.call('HGET', at .. 'entries', id)})
`;

/**
 * ARGV: the name of a generation that is being made; seconds after which it goes if it is not finished; one of its keys without the
 * beginning; a part of what is under it, as JSON: of orders ids, keys and whether they lead, of entries ids and texts, of the front ids.
 */
export const fillScript = `${preamble}
local at, name, part = base .. ARGV[1] .. ':', ARGV[3], cjson.decode(ARGV[4])
if name == 'entries' then
  for _, entry in ipairs(part) do redis.call('HSET', at .. name, entry[1], entry[2]) end
elseif name == 'front' then
  for _, id in ipairs(part) do redis.call('SADD', at .. name, id) end
else
  for _, item in ipairs(part) do
    redis.call('ZADD', at .. 'order:' .. name, item[2], item[1])
    if item[3] then redis.call('ZADD', at .. 'leaders:' .. name, item[2], item[1]) end
  end
  redis.call('EXPIRE', at .. 'leaders:' .. name, ARGV[2])
  name = 'order:' .. name
end
redis.call('EXPIRE', at .. name, ARGV[2])
return 'filled'
`;

/** ARGV: the name of the generation that is finished; its seq as text; all metrics. It takes the place of the present one. */
export const switchScript = `${preamble}
local names = {'entries', 'front', 'seq'}
for i = 3, #ARGV do
  names[#names + 1] = 'order:' .. ARGV[i]
  names[#names + 1] = 'leaders:' .. ARGV[i]
end
local old = redis.call('GET', KEYS[1])
redis.call('SET', base .. ARGV[1] .. ':seq', ARGV[2])
for _, name in ipairs(names) do redis.call('PERSIST', base .. ARGV[1] .. ':' .. name) end
redis.call('SET', KEYS[1], ARGV[1])
if old and old ~= ARGV[1] then
  for _, name in ipairs(names) do redis.call('UNLINK', base .. old .. ':' .. name) end
end
return 'switched'
`;

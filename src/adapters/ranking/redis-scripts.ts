import { submissionTier } from '#core/leaderboards/submissions/state.ts';

/**
 * What is done in Redis in one step each. A leaderboard's keys begin with `lb:{id}:`, so that a cluster keeps them together:
 *
 * - `generation`: the name of the present generation, which is part of all other keys: `lb:{id}:<generation>:...`
 * - `seq`: the number of the last change
 * - `entries`: a hash, the entries' JSON by id
 * - `front:<tier>`: a set, the ids of those on the front of a tier
 * - `order:<tier>:<metric>`: a sorted set of a tier's ids by their keys; equal ones are in the order of ids
 * - `leaders:<tier>:<metric>`: those of them that lead a group
 *
 * Every script gets the key of the generation, and derives the others from it. Keys go in and out as text: Lua's own conversion
 * of numbers drops digits.
 */

/** What can be read; nothing, where a part of the database is gone. */
const preamble = `
local tiers = {${submissionTier.options.map((tier) => `'${tier}'`).join(', ')}}
local base = string.sub(KEYS[1], 1, -11)
local function present()
  local generation = redis.call('GET', KEYS[1])
  if not generation then return nil end
  local at = base .. generation .. ':'
  local seq = redis.call('GET', at .. 'seq')
  if not seq then return nil end
  return at, tonumber(seq)
end
local function total(at, tier, metric)
  local all, own = 0, 0
  for _, each in ipairs(tiers) do
    local entries = redis.call('ZCARD', at .. 'order:' .. each .. ':' .. metric)
    all = all + entries
    if each == tier then own = entries end
  end
  if all ~= redis.call('HLEN', at .. 'entries') then return nil end
  return own
end
local function leader(at, tier, metric, id)
  local order = at .. 'order:' .. tier .. ':' .. metric
  local key = redis.call('ZSCORE', order, id)
  local found = redis.call('ZREVRANGEBYSCORE', at .. 'leaders:' .. tier .. ':' .. metric, key, '-inf', 'LIMIT', 0, 2)
  if not found[1] then return nil end
  -- One with the same key that stands after it leads the next group.
  if redis.call('ZRANK', order, found[1]) <= redis.call('ZRANK', order, id) then return found[1] end
  return found[2]
end
`;

/**
 * ARGV: the change's seq as text; its tier, metrics, keys, moved entries, leads and front as JSON; the id and the JSON of the entry that comes, or '' and '';
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
local orders, leaders, front = at .. 'order:' .. change.tier .. ':', at .. 'leaders:' .. change.tier .. ':', at .. 'front:' .. change.tier
if gone ~= '' then
  redis.call('HDEL', at .. 'entries', gone)
  for _, metric in ipairs(change.metrics) do
    redis.call('ZREM', orders .. metric, gone)
    redis.call('ZREM', leaders .. metric, gone)
  end
end
if put ~= '' then
  redis.call('HSET', at .. 'entries', put, json)
  for i, metric in ipairs(change.metrics) do redis.call('ZADD', orders .. metric, change.keys[i], put) end
end
for _, move in ipairs(change.moved) do
  local metric, id, key = move[1], move[2], move[3]
  redis.call('ZADD', orders .. metric, key, id)
  if redis.call('ZSCORE', leaders .. metric, id) then redis.call('ZADD', leaders .. metric, key, id) end
end
for _, lead in ipairs(change.leads) do
  local metric, id, leads = lead[1], lead[2], lead[3]
  local key = redis.call('ZSCORE', orders .. metric, id)
  if leads and key then redis.call('ZADD', leaders .. metric, key, id)
  else redis.call('ZREM', leaders .. metric, id) end
end
redis.call('DEL', front)
for _, id in ipairs(change.front) do redis.call('SADD', front, id) end
redis.call('SET', at .. 'seq', ARGV[1])
return 'applied'
`;

/** ARGV: all metrics. The number of the last change; 0 where anything is missing. */
export const seqScript = `${preamble}
local at, seq = present()
if not at then return '[0]' end
for _, metric in ipairs(ARGV) do
  if not total(at, tiers[1], metric) then return '[0]' end
  for _, tier in ipairs(tiers) do
    local name = tier .. ':' .. metric
    local entries, leaders = redis.call('ZCARD', at .. 'order:' .. name), redis.call('ZCARD', at .. 'leaders:' .. name)
    if (entries == 0) ~= (leaders == 0) then return '[0]' end
  end
end
return cjson.encode({seq})
`;

/**
 * ARGV: tier, metric, from, how many at most. Seq, total of the tier; then for each row its rank, whether it has a place and is on the front, its
 * JSON.
 */
export const pageScript = `${preamble}
local tier, metric, from, limit = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local at, seq = present()
local entries = at and total(at, tier, metric)
if not entries then return '[0,0]' end
local answer = {seq, entries}
local order = at .. 'order:' .. tier .. ':' .. metric
local ids = redis.call('ZRANGE', order, from, from + limit - 1)
if limit < 1 or not ids[1] then return cjson.encode(answer) end
local keys = redis.call('ZMSCORE', order, unpack(ids))
local leads = redis.call('ZMSCORE', at .. 'leaders:' .. tier .. ':' .. metric, unpack(ids))
local fronts = redis.call('SMISMEMBER', at .. 'front:' .. tier, unpack(ids))
local jsons = redis.call('HMGET', at .. 'entries', unpack(ids))
local first = leader(at, tier, metric, ids[1])
if not first then return '[0,0]' end
local rank = redis.call('ZRANK', order, first) + 1
for i in ipairs(ids) do
  if leads[i] then rank = from + i end
  answer[#answer + 1] = rank
  answer[#answer + 1] = keys[i] == 'inf' and 0 or 1
  answer[#answer + 1] = fronts[i]
  answer[#answer + 1] = jsons[i]
end
return cjson.encode(answer)
`;

/** ARGV: metric, id. Seq, total, position, rank, whether it has a place and is on the front, leader, leader above or '', JSON; only seq without such an entry. */
export const placeScript = `${preamble}
local metric, id = ARGV[1], ARGV[2]
local at, seq = present()
if not at then return '[0]' end
local tier, position
for _, each in ipairs(tiers) do
  local found = redis.call('ZRANK', at .. 'order:' .. each .. ':' .. metric, id)
  if found then tier, position = each, found end
end
local entries = total(at, tier or tiers[1], metric)
if not entries then return '[0]' end
if not position then return cjson.encode({seq}) end
local order = at .. 'order:' .. tier .. ':' .. metric
local first = leader(at, tier, metric, id)
if not first then return '[0]' end
local key = redis.call('ZSCORE', order, first)
local above = redis.call('ZREVRANGEBYSCORE', at .. 'leaders:' .. tier .. ':' .. metric, '(' .. key, '-inf', 'LIMIT', 0, 1)[1] or ''
return cjson.encode({seq, entries, position + 1, redis.call('ZRANK', order, first) + 1,
  redis.call('ZSCORE', order, id) == 'inf' and 0 or 1, redis.call('SISMEMBER', at .. 'front:' .. tier, id), first, above, redis.call('HGET', at .. 'entries', id)})
`;

/**
 * ARGV: the name of a generation that is being made; seconds after which it goes if it is not finished; one of its keys without the
 * beginning; a part of what is under it, as JSON: of orders ids, keys and whether they lead, of entries ids and texts, of fronts ids.
 */
export const fillScript = `${preamble}
local at, name, part = base .. ARGV[1] .. ':', ARGV[3], cjson.decode(ARGV[4])
if name == 'entries' then
  for _, entry in ipairs(part) do redis.call('HSET', at .. name, entry[1], entry[2]) end
elseif string.sub(name, 1, 6) == 'front:' then
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
local names = {'entries', 'seq'}
for _, tier in ipairs(tiers) do
  names[#names + 1] = 'front:' .. tier
  for i = 3, #ARGV do
    names[#names + 1] = 'order:' .. tier .. ':' .. ARGV[i]
    names[#names + 1] = 'leaders:' .. tier .. ':' .. ARGV[i]
  end
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

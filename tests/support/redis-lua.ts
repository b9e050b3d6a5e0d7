import { lauxlib, lua, lualib, type State } from 'fengari';
import { z } from 'zod';
import type { Found } from './redis-memory.ts';
import { RedisError, type Reply } from './resp.ts';

/** Performs a command for a script. */
type Call = (name: string, args: readonly string[]) => Found;

/**
 * Runs scripts as Redis does: with `redis.call` and `cjson`, Lua's libraries for strings, tables and numbers, and no globals of their own.
 * The language is Lua 5.3, where Redis has 5.1: what only one of them accepts is found by the tests against a real Redis.
 */
export class RedisLua {
  readonly #state = lauxlib.luaL_newstate();
  readonly #scripts = new Map<string, number>();
  #call: Call = () => {
    throw new RedisError('ERR no script is running');
  };

  constructor() {
    const state = this.#state;
    for (const [name, open] of [
      ['_G', lualib.luaopen_base],
      ['string', lualib.luaopen_string],
      ['table', lualib.luaopen_table],
      ['math', lualib.luaopen_math],
    ] as const)
      lauxlib.luaL_requiref(state, bytes(name), open, 1);
    lua.lua_settop(state, 0);
    this.#define('redis', { call: ([name, ...args]) => this.#call(argument(name), args.map(argument)) });
    this.#define('cjson', {
      decode: ([text]) => parsed(argument(text)),
      encode: ([value]) => encoded(value),
    });
    this.#run(this.#compiled(prelude), 0);
  }

  run(source: string, keys: readonly string[], argv: readonly string[], call: Call): Reply {
    const script = this.#scripts.get(source) ?? this.#compiled(source);
    this.#scripts.set(source, script);
    this.#setGlobal('KEYS', [...keys]);
    this.#setGlobal('ARGV', [...argv]);
    this.#call = call;
    return replyOf(this.#run(script, 1));
  }

  #compiled(source: string): number {
    const text = bytes(source);
    const status = lauxlib.luaL_loadbuffer(this.#state, text, text.length, bytes('@user_script'));
    if (status !== lua.LUA_OK) throw this.#failure('ERR Error compiling script: ');
    return lauxlib.luaL_ref(this.#state, lua.LUA_REGISTRYINDEX);
  }

  #run(script: number, results: 0 | 1): LuaValue {
    const state = this.#state;
    lua.lua_rawgeti(state, lua.LUA_REGISTRYINDEX, script);
    if (lua.lua_pcall(state, 0, results, 0) !== lua.LUA_OK) throw this.#failure('ERR ');
    const value = results === 0 ? null : read(state, -1);
    lua.lua_settop(state, 0);
    return value;
  }

  /** Extracts the message of an error; errors of commands begin with their own word. */
  #failure(beginning: string): RedisError {
    const message = argument(read(this.#state, -1));
    lua.lua_settop(this.#state, 0);
    return new RedisError(/^[A-Z]+ /.test(message) ? message : beginning + message);
  }

  #define(name: string, functions: Readonly<Record<string, (args: LuaValue[]) => LuaValue>>): void {
    const state = this.#state;
    lua.lua_pushglobaltable(state);
    push(state, name);
    lua.lua_createtable(state, 0, 0);
    for (const [verb, run] of Object.entries(functions)) {
      push(state, verb);
      lua.lua_pushjsfunction(state, (running) => {
        const args = Array.from({ length: lua.lua_gettop(running) }, (_, at) => read(running, at + 1));
        try {
          push(running, run(args));
          return 1;
        } catch (error) {
          if (!(error instanceof RedisError)) throw error;
          push(running, error.message);
        }
        return lua.lua_error(running);
      });
      lua.lua_rawset(state, -3);
    }
    lua.lua_rawset(state, -3);
    lua.lua_settop(state, 0);
  }

  #setGlobal(name: string, value: LuaValue): void {
    lua.lua_pushglobaltable(this.#state);
    push(this.#state, name);
    push(this.#state, value);
    lua.lua_rawset(this.#state, -3);
    lua.lua_settop(this.#state, 0);
  }
}

/** A Lua value: a table with keys 1 to n is a list, any other a record. */
type LuaValue = string | number | boolean | null | readonly LuaValue[] | LuaRecord;
interface LuaRecord {
  readonly [name: string]: LuaValue;
}
const isList = (value: LuaValue): value is readonly LuaValue[] => Array.isArray(value);

const prelude = `
unpack = table.unpack
local function refuse(what)
  return function(_, name) error("Script attempted to " .. what .. " global variable '" .. tostring(name) .. "'", 2) end
end
setmetatable(_G, { __newindex = refuse('create'), __index = refuse('access nonexistent') })
`;

const bytes = (text: string): Uint8Array => Buffer.from(text);

/** Pushes a value on Lua's stack; scripts see false if a command found nothing. */
function push(state: State, value: LuaValue): void {
  if (value === null) lua.lua_pushboolean(state, false);
  else if (typeof value === 'boolean') lua.lua_pushboolean(state, value);
  else if (typeof value === 'string') lua.lua_pushlstring(state, bytes(value), Buffer.byteLength(value));
  else if (typeof value === 'number') pushNumber(state, value);
  else if (isList(value)) {
    lua.lua_createtable(state, value.length, 0);
    for (const [at, item] of value.entries()) {
      push(state, item);
      lua.lua_rawseti(state, -2, at + 1);
    }
  } else {
    lua.lua_createtable(state, 0, 0);
    for (const [name, item] of Object.entries(value)) {
      push(state, name);
      push(state, item);
      lua.lua_rawset(state, -3);
    }
  }
}

/** Whole numbers are Lua integers, so that their text has no decimal point; those have 32 bits here. */
const pushNumber = (state: State, value: number): void =>
  value === (value | 0) ? lua.lua_pushinteger(state, value) : lua.lua_pushnumber(state, value);

function read(state: State, index: number): LuaValue {
  switch (lua.lua_type(state, index)) {
    case lua.LUA_TNIL:
      return null;
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(state, index);
    case lua.LUA_TNUMBER:
      return lua.lua_tonumber(state, index);
    case lua.LUA_TSTRING:
      return Buffer.from(lua.lua_tolstring(state, index)).toString('utf8');
    case lua.LUA_TTABLE:
      return readTable(state, index);
    default:
      throw new RedisError('ERR a function cannot leave a script');
  }
}

function readTable(state: State, index: number): LuaValue {
  const table = index < 0 ? lua.lua_gettop(state) + 1 + index : index;
  const items: LuaValue[] = [];
  const fields: [string, LuaValue][] = [];
  lua.lua_pushnil(state);
  while (lua.lua_next(state, table) !== 0) {
    const key = read(state, -2);
    if (typeof key === 'number') items[key - 1] = read(state, -1);
    else fields.push([argument(key), read(state, -1)]);
    lua.lua_pop(state, 1);
  }
  if (items.length === 0) return Object.fromEntries(fields);
  if (fields.length > 0 || Object.keys(items).length < items.length)
    throw new RedisError('ERR a table is neither a list nor a record');
  return items;
}

/** Converts what a script returns as Redis does. */
function replyOf(value: LuaValue): Reply {
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value === 'boolean') return value ? 1 : null;
  if (value === null || typeof value === 'string') return value;
  if (isList(value)) return value.map(replyOf);
  if (typeof value['err'] === 'string') return new RedisError(value['err']);
  return typeof value['ok'] === 'string' ? value['ok'] : [];
}

/** Converts an argument of a command as Redis does. */
function argument(value: LuaValue | undefined): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new RedisError('ERR Lua redis lib command arguments must be strings or integers');
}

const json: z.ZodType<LuaValue> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.array(json), z.record(z.string(), json)]),
);

function parsed(text: string): LuaValue {
  try {
    return json.parse(JSON.parse(text));
  } catch {
    throw new RedisError('ERR this is no JSON, or has a null, which scripts do not get here');
  }
}

const encoded = (value: LuaValue | undefined): string => JSON.stringify(rounded(value ?? null));

/** Numbers keep 14 digits in Redis' JSON. */
function rounded(value: LuaValue): LuaValue {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RedisError('ERR Cannot serialise number: must not be NaN or Inf');
    return Number(value.toPrecision(14));
  }
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(rounded);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, rounded(item)]));
}

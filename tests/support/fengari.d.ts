/** The parts of this Lua interpreter that we use; it has no types. Names and numbers are those of Lua's C interface. */
declare module 'fengari' {
  export interface State {
    readonly l_G: object;
  }

  export const lua: {
    readonly LUA_OK: number;
    readonly LUA_TNIL: number;
    readonly LUA_TBOOLEAN: number;
    readonly LUA_TNUMBER: number;
    readonly LUA_TSTRING: number;
    readonly LUA_TTABLE: number;
    readonly LUA_REGISTRYINDEX: number;
    lua_createtable(state: State, items: number, fields: number): void;
    lua_error(state: State): number;
    lua_getfield(state: State, index: number, name: Uint8Array): number;
    lua_gettop(state: State): number;
    lua_next(state: State, index: number): number;
    lua_pcall(state: State, args: number, results: number, handler: number): number;
    lua_pop(state: State, count: number): void;
    lua_pushboolean(state: State, value: boolean): void;
    lua_pushglobaltable(state: State): void;
    lua_pushinteger(state: State, value: number): void;
    lua_pushjsfunction(state: State, run: (state: State) => number): void;
    lua_pushlstring(state: State, bytes: Uint8Array, length: number): void;
    lua_pushnil(state: State): void;
    lua_pushnumber(state: State, value: number): void;
    lua_rawgeti(state: State, index: number, at: number): number;
    lua_rawset(state: State, index: number): void;
    lua_rawseti(state: State, index: number, at: number): void;
    lua_settop(state: State, index: number): void;
    lua_toboolean(state: State, index: number): boolean;
    lua_tolstring(state: State, index: number): Uint8Array;
    lua_tonumber(state: State, index: number): number;
    lua_type(state: State, index: number): number;
  };
  export const lauxlib: {
    luaL_loadbuffer(state: State, source: Uint8Array, length: number, name: Uint8Array): number;
    luaL_newstate(): State;
    luaL_ref(state: State, table: number): number;
    luaL_requiref(state: State, name: Uint8Array, open: (state: State) => number, global: number): void;
  };
  export const lualib: {
    luaopen_base(state: State): number;
    luaopen_math(state: State): number;
    luaopen_string(state: State): number;
    luaopen_table(state: State): number;
  };
}

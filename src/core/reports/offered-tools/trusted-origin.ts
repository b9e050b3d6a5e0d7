const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Returns whether a page of this origin may use the MCP server at `url`: the deployment's own pages. Over plain HTTP a name says
 * nothing, because anybody can have theirs lead to this machine (DNS rebinding), so there only loopback names count.
 */
export function isTrustedOrigin(origin: string, url: string, publicOrigin: string | undefined): boolean {
  if (origin === publicOrigin) return true;
  const own = new URL(url);
  return origin === own.origin && (own.protocol === 'https:' || loopbackHost.test(own.hostname));
}

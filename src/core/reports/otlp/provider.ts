/** The names that OpenTelemetry's GenAI conventions give to providers of models, by the host of their endpoint. */
const providersByHost: Readonly<Record<string, string>> = {
  'api.anthropic.com': 'anthropic',
  'api.cohere.com': 'cohere',
  'api.deepseek.com': 'deepseek',
  'api.groq.com': 'groq',
  'api.mistral.ai': 'mistral_ai',
  'api.openai.com': 'openai',
  'api.perplexity.ai': 'perplexity',
  'api.x.ai': 'x_ai',
  'generativelanguage.googleapis.com': 'gcp.gemini',
};

/** Returns the attributes that name the endpoint of a model; a host without a name in the conventions is its own name. */
export function describeProvider(baseUrl: string) {
  const url = URL.parse(baseUrl);
  if (url === null) return { 'gen_ai.provider.name': 'unknown' };
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  return {
    'gen_ai.provider.name': providersByHost[url.hostname] ?? url.hostname,
    'server.address': url.hostname,
    'server.port': port,
  };
}

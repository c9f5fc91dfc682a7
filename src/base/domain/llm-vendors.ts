// The LLM vendors that an account may name: protocol, address, and whether a key is needed.

export const llmVendorNames = [
  'openai',
  'anthropic',
  'google',
  'groq',
  'openrouter',
  'mistral',
  'ollama',
  'openai-compatible',
] as const
export type LlmVendorName = (typeof llmVendorNames)[number]

export type LlmVendor = {
  title: string
  /** `openai`: OpenAI's chat completions, which most vendors and local servers also speak. */
  protocol: 'openai' | 'anthropic' | 'google'
  /** Base URL including the version; null if the account must name one. */
  baseUrl: string | null
  needsKey: boolean
}

export const llmVendors: Readonly<Record<LlmVendorName, LlmVendor>> = {
  openai: { title: 'OpenAI', protocol: 'openai', baseUrl: 'https://api.openai.com/v1', needsKey: true },
  anthropic: {
    title: 'Anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    needsKey: true,
  },
  google: {
    title: 'Google Gemini',
    protocol: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    needsKey: true,
  },
  groq: { title: 'Groq', protocol: 'openai', baseUrl: 'https://api.groq.com/openai/v1', needsKey: true },
  openrouter: { title: 'OpenRouter', protocol: 'openai', baseUrl: 'https://openrouter.ai/api/v1', needsKey: true },
  mistral: { title: 'Mistral', protocol: 'openai', baseUrl: 'https://api.mistral.ai/v1', needsKey: true },
  ollama: { title: 'Ollama', protocol: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', needsKey: false },
  'openai-compatible': { title: 'OpenAI-compatible', protocol: 'openai', baseUrl: null, needsKey: false },
}

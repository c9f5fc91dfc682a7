// OpenAI, or another server that speaks its protocol, as a vendor of speech.
import type { Vendor, VendorConnections, VendorTimeouts } from './vendor-http.ts'

export type OpenAiSettings = {
  apiKey: string | null
  /** Base URL with its version, as OpenAI's own client takes it: https://api.openai.com/v1 */
  baseUrl?: string
  model?: string
  timeouts?: Partial<VendorTimeouts>
  connections?: VendorConnections
}

const openAiUrl = 'https://api.openai.com/v1'

/** `server`: what an error calls a server that is not OpenAI's; it may need no key. */
export function openAiVendor({ baseUrl = openAiUrl, ...settings }: OpenAiSettings, server: string): Vendor {
  const { apiKey, timeouts, connections } = settings
  const isOpenAi = baseUrl === openAiUrl
  return {
    name: isOpenAi ? 'OpenAI' : server,
    apiKey,
    baseUrl,
    isKeyOptional: !isOpenAi,
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    timeouts,
    connections,
  }
}

// OpenAI, or another server that speaks its protocol, as a vendor of speech.
import type { Vendor, VendorSettings } from './vendor-http.ts'

/** With its version, as OpenAI's own client takes it. */
const openAiUrl = 'https://api.openai.com/v1'

/** `server`: what an error calls a server that is not OpenAI's; it may need no key. */
export function openAiVendor(settings: VendorSettings, server: string): Vendor {
  const { baseUrl = openAiUrl } = settings
  const isOpenAi = baseUrl === openAiUrl
  return {
    ...settings,
    name: isOpenAi ? 'OpenAI' : server,
    baseUrl,
    isKeyOptional: !isOpenAi,
    headers: (key) => ({ authorization: `Bearer ${key}` }),
  }
}

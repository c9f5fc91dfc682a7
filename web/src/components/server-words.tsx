// A text of the server in the language of the page.
import type { ServerTexts } from '../i18n/server-text.ts'
import { useServerText } from '../i18n/use-server-text.ts'

export const ServerWords = ({ text, texts }: { text: string; texts: ServerTexts }) => useServerText(texts)(text)

// A server text in the page's language.
import type { ServerTexts } from '../i18n/server-text.ts'
import { useServerText } from '../i18n/use-server-text.ts'

export const ServerWords = ({ text, texts }: { text: string; texts: ServerTexts }) => useServerText(texts)(text)

// The origins that may use a widget: exact matches, https, or http on this machine.
import { appError } from '../../base/errors/errors.ts'

const ownMachine = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Formatted as in a browser's Origin header: lower case, without the default port. Throws if no site can have it. */
export function siteOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.username !== '' || url.password !== '' || url.pathname !== '/' || url.hostname.includes('*'))
    throw appError('widget_origin_invalid', { origin: text })
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && ownMachine.has(url.hostname)))
    throw appError('widget_origin_insecure', { origin: text })
  return url.origin
}

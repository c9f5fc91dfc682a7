// What a page of ours may do in a browser, as headers: load its own files, and nothing else.
import { randomBytes } from 'node:crypto'

export const newNonce = (): string => randomBytes(18).toString('base64')

/** `nonce`: of the style elements that the page makes while it runs. */
export const contentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'", // positions of menus, widths of bars: set at run time, element by element
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

export function pageHeaders(nonce: string, isTls: boolean, host: string): Record<string, string> {
  // A browser would ask every other port of localhost for HTTPS too, for a year.
  const isPinned = isTls && !/^localhost(:|$)/i.test(host)
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': contentPolicy(nonce),
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'microphone=(self), camera=(), geolocation=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'accept',
    ...(isPinned ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

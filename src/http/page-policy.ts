// Security headers of the pages we serve: scripts, styles and connections only from our own origin.
import { randomBytes } from 'node:crypto'

export const newNonce = (): string => randomBytes(18).toString('base64')

/** `nonce` allows the style elements that the dashboard creates at runtime. */
const contentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'", // menu positions and bar widths, set at runtime
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "frame-src 'self'", // the widget preview
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

/** The widget preview runs in its own origin, so it reaches neither the dashboard's session nor any server. */
const previewPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  'img-src https:', // the widget's logo
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox allow-scripts',
].join('; ')

/**
 * The API reference and the guides have no inline styles or scripts at all; audio and images of responses are shown
 * from blobs.
 */
const framedPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

export const pageHeaders = (nonce: string, isTls: boolean, host: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': contentPolicy(nonce),
  'permissions-policy': 'microphone=(self), camera=(), geolocation=(), payment=(), usb=()',
  vary: 'accept',
  ...isolation(isTls, host),
})

export const previewHeaders = (isTls: boolean, host: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': previewPolicy,
  'permissions-policy': 'microphone=(), camera=(), geolocation=(), payment=(), usb=()',
  ...isolation(isTls, host),
})

export const framedHeaders = (isTls: boolean, host: string): Record<string, string> => ({
  'content-security-policy': framedPolicy,
  'permissions-policy': 'microphone=(), camera=(), geolocation=(), payment=(), usb=()',
  ...isolation(isTls, host),
})

function isolation(isTls: boolean, host: string): Record<string, string> {
  // HSTS for localhost would force HTTPS on every other localhost port for a year.
  const isPinned = isTls && !/^localhost(:|$)/i.test(host)
  return {
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isPinned ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

// Names of HTTP headers: which are valid, which belong to the connection, and which hold no secret.

export const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name)

/**
 * RFC 9110: these belong to the connection or are derived from the message; no tool may set them. Servers trust
 * `sec-` headers because only browsers can set them.
 */
export const isConnectionHeader = (name: string): boolean =>
  /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*|sec-.*)$/i.test(
    name,
  )

export const isOpenHeader = (name: string): boolean =>
  /^(accept|accept-language|content-type|user-agent|cache-control)$/i.test(name)

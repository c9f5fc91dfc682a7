// The built files of the dashboard, read once at start and served from memory: a request never names a path on disk.
import { createHash } from 'node:crypto'
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { constants, brotliCompress as zlibBrotli, gzip as zlibGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const brotli = promisify(zlibBrotli)
const gzip = promisify(zlibGzip)

const MAX_FILES = 2000
/** Its name never changes: visitors get a new version within the hour, without a request on every page until then. */
const WIDGET_CACHE = 'public, max-age=3600, must-revalidate'
const WORTH_PACKING = 1024

const typeOf: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
}
const isPackable = (type: string) => /^(text\/|application\/(json|manifest|wasm)|image\/svg)/.test(type)

export type Encoding = 'br' | 'gzip' | 'identity'
export type PageFile = {
  /** As in the URL, starting with a slash. */
  path: string
  type: string
  etag: string
  bytes: Buffer
  /** Compressed at build time, or on first request and then cached. */
  packed(encoding: Encoding): Buffer | Promise<Buffer>
}

/** Only files whose names need no escaping in a URL, and no symbolic links. Empty if the folder does not exist. */
export function readPageFiles(folder: string): PageFile[] {
  const files = new Map(filesBelow(folder, MAX_FILES).map((path) => [`/${path}`, readFileSync(join(folder, path))]))
  // Compressed at build time: a variant of the adjacent file, not a file of its own.
  const isForm = (path: string) => path.endsWith('.br') && files.has(path.slice(0, -3))
  return [...files].flatMap(([path, bytes]) =>
    /^[\w/.-]+$/.test(path) && !isForm(path) ? [pageFile(path, bytes, files.get(`${path}.br`))] : [],
  )
}

/** Paths below the folder, with slashes; empty if it does not exist. */
export function filesBelow(folder: string, most: number): string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch {
    return []
  }
  return entries
    .filter((entry) => entry.isFile())
    .slice(0, most)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

export function pageFile(path: string, bytes: Buffer, brotliBytes?: Buffer): PageFile {
  const type = typeOf[extname(path).toLowerCase()] ?? 'application/octet-stream'
  const kept = new Map<Encoding, Buffer | Promise<Buffer>>()
  if (brotliBytes) kept.set('br', brotliBytes)
  const pack = (encoding: Encoding) =>
    encoding === 'br'
      ? brotli(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        })
      : gzip(bytes, { level: 9 })
  return {
    path,
    type,
    bytes,
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    packed(encoding) {
      if (encoding === 'identity') return bytes
      const ready = kept.get(encoding) ?? pack(encoding)
      kept.set(encoding, ready)
      return ready
    },
  }
}

/** The best encoding that both sides support. */
function encodingFor(file: PageFile, accepted: string | undefined): Encoding {
  if (file.bytes.length < WORTH_PACKING || !isPackable(file.type)) return 'identity'
  const taken = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .flatMap((part) => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
        return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name]
      }),
  )
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'identity'
}

/**
 * Sends a file with its type, ETag and encoding; 304 if the client has it. `varying`: the request header that selected
 * the file.
 */
export async function sendFile(
  file: PageFile,
  req: FastifyRequest,
  reply: FastifyReply,
  varying = '',
): Promise<FastifyReply> {
  // The browser client and the widget are loaded by pages of other origins.
  const isWidget = file.path === '/widget.js'
  const isPublic = isWidget || file.path.startsWith('/client/')
  // File names under /assets contain a hash of their content.
  const isImmutable = file.path.startsWith('/assets/')
  reply.headers({
    'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : isWidget ? WIDGET_CACHE : 'no-cache',
    'cross-origin-resource-policy': isPublic ? 'cross-origin' : 'same-origin',
    etag: file.etag,
    vary: varying ? `${varying}, accept-encoding` : 'accept-encoding',
    ...(isPublic ? { 'access-control-allow-origin': '*' } : {}),
  })
  const cached = (req.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim())
  if (cached.includes(file.etag)) return reply.code(304).send()
  const encoding = encodingFor(file, req.headers['accept-encoding'])
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(file.type).send(await file.packed(encoding))
}

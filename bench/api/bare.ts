// The baseline: plain node:http that replays a response of the real server byte for byte. The parent process supplies
// it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KeptAnswer } from './answer-reader.ts'

/** Headers that Node writes by itself. */
const automatic = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

let status = 503
let headers: string[] = []
let text = ''
/** Body of a chunked response, already as bytes: a baseline should not spend time on encoding. */
let chunks: Buffer[] = []

const server = createServer({ keepAliveTimeout: 72_000 }, (req, res) => {
  const answer = () => {
    res.writeHead(status, headers)
    for (const chunk of chunks) res.write(chunk)
    res.end(text === '' ? undefined : text)
  }
  if (req.method === 'GET') return answer()
  const parts: Buffer[] = []
  req.on('data', (part) => parts.push(part))
  req.on('end', () => {
    Buffer.concat(parts)
    answer()
  })
})

process.on('message', (answer: KeptAnswer) => {
  status = answer.status
  headers = []
  for (let i = 0; i < answer.headers.length; i += 2) {
    const [name = '', value = ''] = answer.headers.slice(i, i + 2)
    if (!automatic.has(name.toLowerCase())) headers.push(name, value)
  }
  text = answer.isChunked ? '' : answer.pieces.join('')
  chunks = answer.isChunked ? answer.pieces.map((piece) => Buffer.from(piece)) : []
  process.send?.('set')
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

// A small DNS server on loopback UDP for tests: A, AAAA, SRV and NAPTR records from a table (RFC 1035, 2782, 3403).
import { createSocket } from 'node:dgram'
import { promises as dns } from 'node:dns'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { TestContext } from 'node:test'

export type Zone = Record<string, ZoneRecord[]>
export type ZoneRecord =
  | { a: string; ttl?: number }
  | { srv: [priority: number, weight: number, port: number, target: string] }
  | { naptr: [order: number, preference: number, flags: string, service: string, replacement: string] }

const TYPES: Readonly<Record<string, number>> = { A: 1, AAAA: 28, SRV: 33, NAPTR: 35 }
const typeName = (type: number) => Object.keys(TYPES).find((name) => TYPES[name] === type) ?? 'OTHER'

const nameBytes = (name: string): Buffer =>
  Buffer.concat([...name.split('.').filter(Boolean).map(textBytes), Buffer.from([0])])
const textBytes = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2)
  return bytes
}

function ipv6Bytes(address: string): Buffer {
  const [front = '', back] = address.split('::')
  const groups = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  const head = groups(front)
  const tail = groups(back ?? '')
  return numbers(...head, ...Array(8 - head.length - tail.length).fill(0), ...tail)
}

function dataOf(record: ZoneRecord): { type: string; ttl: number; data: Buffer } {
  if ('a' in record) {
    const type = isIPv6(record.a) ? 'AAAA' : 'A'
    const data = type === 'A' ? Buffer.from(record.a.split('.').map(Number)) : ipv6Bytes(record.a)
    return { type, ttl: record.ttl ?? 300, data }
  }
  if ('srv' in record) {
    const [priority, weight, port, target] = record.srv
    return { type: 'SRV', ttl: 300, data: Buffer.concat([numbers(priority, weight, port), nameBytes(target)]) }
  }
  const [order, preference, flags, service, replacement] = record.naptr
  const texts = [flags, service, ''].map(textBytes)
  return {
    type: 'NAPTR',
    ttl: 300,
    data: Buffer.concat([numbers(order, preference), ...texts, nameBytes(replacement)]),
  }
}

function readName(bytes: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    labels.push(bytes.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** `zone` may be changed while the server runs; a query for which `ignores` returns true gets no response. */
export async function openDnsServer(t: TestContext, zone: Zone, ignores?: (question: string) => boolean) {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => new Promise<void>((done) => socket.close(done)))
  const questions: string[] = []
  socket.on('message', (query, from) => {
    const { name, end } = readName(query, 12)
    const question = `${typeName(query.readUInt16BE(end))} ${name}`
    questions.push(question)
    if (ignores?.(question)) return
    const records = zone[name]
    const found = (records ?? []).map(dataOf).filter(({ type }) => question.startsWith(`${type} `))
    const answers = found.map(({ type, ttl, data }) =>
      Buffer.concat([numbers(0xc00c, TYPES[type] ?? 0, 1, ttl >>> 16, ttl & 0xffff, data.length), data]),
    )
    const header = numbers(query.readUInt16BE(0), records ? 0x8580 : 0x8583, 1, answers.length, 0, 0)
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...answers]), from.port, from.address)
  })
  // If every query is answered, a long timeout keeps a busy machine from retrying.
  const resolver = new dns.Resolver({ timeout: ignores ? 500 : 20_000, tries: 2 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return { questions, resolver }
}

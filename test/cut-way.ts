// Loopback relays that can be cut, as when a browser changes networks: one for TCP, one for UDP.
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from './app.ts'

/** Forwards every connection to this port; `cut` resets the open ones, and new ones are accepted. */
export async function tcpWay(to: number) {
  const open = new Set<Socket>()
  let isShut = false
  let isFrozen = false
  const server = createServer((near) => {
    if (isShut) return near.destroy()
    if (isFrozen) {
      open.add(near.on('error', () => {}))
      return near.once('close', () => open.delete(near))
    }
    const far = connect(to, '127.0.0.1')
    for (const one of [near, far]) {
      open.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        open.delete(one)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const one of open) one.resetAndDestroy()
  }
  atEnd(() => {
    cut()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    /** The open connections stop carrying data and neither side notices. New ones are accepted. */
    stall() {
      for (const one of open) one.unpipe().pause()
    },
    /** No connection carries data, not even a new one, until `open` is called. */
    freeze() {
      isFrozen = true
      for (const one of open) one.unpipe().pause()
    },
    /** Refuses connections until `open` is called. */
    shut() {
      isShut = true
      cut()
    },
    open() {
      if (isFrozen) cut()
      isShut = false
      isFrozen = false
    },
  }
}

/** A relay for one peer; after `cut` all packets are dropped silently. */
export async function udpWay(to: number) {
  const [front, back] = [createSocket('udp4'), createSocket('udp4')]
  let client: RemoteInfo | undefined
  let isCut = false
  let passed = 0
  front.on('message', (bytes, from) => {
    client = from
    if (!isCut) back.send(bytes, to, '127.0.0.1')
  })
  back.on('message', (bytes) => {
    if (isCut || !client) return
    passed++
    front.send(bytes, client.port, client.address)
  })
  for (const socket of [front, back]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    atEnd(() => void socket.close())
  }
  return {
    port: front.address().port,
    passed: () => passed,
    cut() {
      isCut = true
    },
  }
}

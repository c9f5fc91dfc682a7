// Password hashes: scrypt, stored with its cost, so that a later version may choose another.
//   scrypt:<log2 N>:<r>:<p>:<salt>:<hash>      (parts in base64url)
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Mutex } from '../concurrency/mutex.ts'
import { appError } from '../errors/errors.ts'
import { peerNetworkOf } from '../network/peer-network.ts'

const COST = { logN: 15, r: 8, p: 3 } // 32 MB and a quarter of a second
const BYTES = 32
const MAX_WAITING = 20
/** Per network, so that other networks keep their places in the queue. */
const MAX_OF_A_NETWORK = 5

const HERE = '127.0.0.1'

export const PASSWORD_LENGTH = { min: 10, max: 256 } as const

/** Unicode normalization: keyboards compose accents differently. */
const normal = (password: string) => password.normalize('NFC')

/** Why a new password is not acceptable. */
export function passwordFault(password: string): string | undefined {
  const { length } = [...normal(password)]
  const { min, max } = PASSWORD_LENGTH
  if (length < min || length > max) return `must have ${min} to ${max} characters`
  return undefined
}

/** Hashes one password at a time: each needs memory, and many concurrent sign-ins must not exhaust it. */
export function passwordHasher() {
  const turn = new Mutex()
  let waiting = 0
  const byNetwork = new Map<string, number>()

  async function derive(password: string, salt: Buffer, { logN, r, p }: typeof COST, ip: string): Promise<Buffer> {
    const network = peerNetworkOf(ip)
    const before = byNetwork.get(network) ?? 0
    if (waiting >= MAX_WAITING || before >= MAX_OF_A_NETWORK) {
      const headers = { 'retry-after': '5' }
      throw appError('sign_in_busy', {}, { headers })
    }
    waiting++
    byNetwork.set(network, before + 1)
    await turn.lock()
    try {
      return await scryptAsync(normal(password), salt, { N: 2 ** logN, r, p, maxmem: 128 * r * (2 ** logN + p + 2) })
    } finally {
      turn.unlock()
      waiting--
      const left = (byNetwork.get(network) ?? 1) - 1
      if (left > 0) byNetwork.set(network, left)
      else byNetwork.delete(network)
    }
  }

  return {
    /** `ip`: the client's address; by default a user at this machine. */
    async hash(password: string, ip = HERE): Promise<string> {
      const salt = randomBytes(16)
      return written(salt, await derive(password, salt, COST, ip))
    },

    /** Takes equally long without a hash to compare with, and then returns false. */
    async fits(password: string, kept: string | null, ip = HERE): Promise<boolean> {
      const { cost, salt, hash } = read(kept ?? written(randomBytes(16), randomBytes(BYTES)))
      return timingSafeEqual(await derive(password, salt, cost, ip), hash) && kept !== null
    },
  }
}

const written = (salt: Buffer, hash: Buffer) =>
  ['scrypt', COST.logN, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join(':')

function read(kept: string): { cost: typeof COST; salt: Buffer; hash: Buffer } {
  const [, logN, r, p, salt, hash] = /^scrypt:(\d+):(\d+):(\d+):([\w-]+):([\w-]{43})$/.exec(kept) ?? []
  if (!salt || !hash) throw new Error('a kept password has an unknown form')
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}

const scryptAsync = (password: string, salt: Buffer, options: ScryptOptions) =>
  new Promise<Buffer>((resolve, reject) =>
    scrypt(password, salt, BYTES, options, (error, key) => (error ? reject(error) : resolve(key))),
  )

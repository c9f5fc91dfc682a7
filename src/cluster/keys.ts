// Keys between nodes, derived from the master keys: one to seal messages on the bus, one to prove a node on the link.
import { createHash, hkdfSync } from 'node:crypto'

export type ClusterKey = { id: string; key: Buffer }

/** In the order of MASTER_KEY: the first is used to send, all of them to receive. */
export type ClusterKeys = readonly [ClusterKey, ...ClusterKey[]]

export const busKeys = (masterKeys: readonly string[]) => derive(masterKeys, 'ramal bus between nodes')
export const linkKeys = (masterKeys: readonly string[]) => derive(masterKeys, 'ramal link between nodes')

function derive(masterKeys: readonly string[], purpose: string): ClusterKeys {
  const [first, ...others] = masterKeys.map((master) => {
    const key = Buffer.from(hkdfSync('sha256', master, '', purpose, 32))
    return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
  })
  if (!first) throw new Error('no master key')
  return [first, ...others]
}

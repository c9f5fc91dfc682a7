// The instruction sets of the processor, as Linux lists them; empty elsewhere.
import { readFile } from 'node:fs/promises'

/** `flags` on x86, `Features` on ARM. A hypervisor may hide some, so the processor's name is not enough. */
export async function processorFlags(cpuInfo = '/proc/cpuinfo'): Promise<readonly string[]> {
  const text = await readFile(cpuInfo, 'utf8').catch(() => '')
  const [, flags = ''] = /^(?:flags|Features)\s*:(.*)$/m.exec(text) ?? []
  return flags.trim().split(/\s+/)
}

// Whether the processor suits the int8 path.
import { readFile } from 'node:fs/promises'

/**
 * x86 with AVX512-VNNI and ARM with the dot-product instructions (asimddp: Neoverse, Graviton, Ampere) run an int8
 * convolution about three times as fast as fp32. Other x86 processors add pairs of products in 16 bits, which saturates
 * audibly: there the plain path is the right one.
 */
export async function supportsInt8(cpuInfo = '/proc/cpuinfo'): Promise<boolean> {
  const text = await readFile(cpuInfo, 'utf8').catch(() => '')
  const has = (line: RegExp, flag: string) => (line.exec(text)?.[1] ?? '').split(' ').includes(flag)
  return has(/^flags\s*:(.*)$/m, 'avx512_vnni') || has(/^Features\s*:(.*)$/m, 'asimddp')
}

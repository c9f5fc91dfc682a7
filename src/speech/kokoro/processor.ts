// Whether the processor suits the int8 path.
import { processorFlags } from '../onnx/processor-flags.ts'

/**
 * x86 with AVX512-VNNI and ARM with the dot-product instructions (asimddp: Neoverse, Graviton, Ampere) run an int8
 * convolution about three times as fast as fp32. Other x86 processors add pairs of products in 16 bits, which saturates
 * audibly: there the plain path is the right one.
 */
export async function supportsInt8(cpuInfo?: string): Promise<boolean> {
  const flags = await processorFlags(cpuInfo)
  return flags.includes('avx512_vnni') || flags.includes('asimddp')
}

// Where Kokoro's graph is split: the front (text, durations, pitch, source) is cheap, the generator produces the
// samples.
import { dataType, type ValueInfo } from '../onnx/protobuf.ts'
import { valueInfo } from '../onnx/values.ts'

const DECODER = '/decoder/decoder/'
export const GENERATOR = `${DECODER}generator/`

/** [1, 512, n]: the features of the speech, at 80 steps a second. */
export const FEATURES = `${DECODER}decode.3/Div_4_output_0`
/**
 * [1, 22, 60 n + 1]: the source signal's spectrum. It is computed once for all chunks, so its phase stays continuous.
 */
export const SOURCE = `${GENERATOR}Concat_3_output_0`
/** [symbols]: the duration of each, in frames of 25 ms. */
export const DURATIONS = '/encoder/Gather_output_0'
export const WAVEFORM = 'waveform'
export const STATISTICS = 'statistics'

export const RATE_HZ = 24_000
const STEPS_PER_SECOND = 80
export const STEPS_PER_FRAME = 2
export const SAMPLES_PER_STEP = RATE_HZ / STEPS_PER_SECOND
export const SOURCE_PER_STEP = 60
export const FEATURE_CHANNELS = 512
export const SOURCE_CHANNELS = 22
export const STYLE_SIZE = 256

/** The generator's residual blocks, each of three pairs of convolutions, and their channels. */
export const blocks: readonly { name: string; channels: number }[] = [
  { name: 'noise_res.0', channels: 256 },
  { name: 'noise_res.1', channels: 128 },
  ...[0, 1, 2].map((i) => ({ name: `resblocks.${i}`, channels: 256 })),
  ...[3, 4, 5].map((i) => ({ name: `resblocks.${i}`, channels: 128 })),
]

/** A mean and a variance per channel before each of the 48 convolutions. */
export const STATISTICS_SIZE = blocks.reduce((sum, block) => sum + block.channels * 6 * 2, 0)

/** The convolutions of the front that are worth running in int8. */
export const frontConvolution = /^\/decoder\/decoder\/(encode|decode\.\d)\/conv[12]\/Conv$/

export const cutTensors = (): ValueInfo[] => [
  valueInfo(FEATURES, dataType.float, [1, FEATURE_CHANNELS, 'steps']),
  valueInfo(SOURCE, dataType.float, [1, SOURCE_CHANNELS, 'source']),
]

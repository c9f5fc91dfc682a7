// Texts about kinds of providers and their health, for the providers page, the agent's chains and the banner.
import { texts } from '../i18n/texts.ts'

export const providerHealthTexts = texts(
  {
    kind: {
      llm: 'modelo de linguagem',
      stt: 'reconhecimento de fala',
      tts: 'voz',
      embeddings: 'embeddings',
    },
    ok: 'Funcionando',
    unused: 'Sem uso ainda',
    failing: (since: string) => `Falhando desde ${since}`,
    down: (since: string) => `Fora do ar desde ${since}`,
    reason: {
      unreachable: 'Não foi possível conectar ao servidor.',
      timeout: 'Não responde a tempo.',
      key_refused: 'A chave não é aceita.',
      limited: 'O fornecedor limita os pedidos desta conta.',
      invalid_answer: 'As respostas não podem ser usadas.',
      broken_off: 'As respostas são interrompidas no meio.',
    },
    first: {
      llm: (ms: string) => `primeira palavra em ${ms} ms`,
      stt: (ms: string) => `texto em ${ms} ms`,
      tts: (ms: string) => `primeiro som em ${ms} ms`,
      embeddings: (ms: string) => `resposta em ${ms} ms`,
    },
  },
  {
    kind: {
      llm: 'language model',
      stt: 'speech recognition',
      tts: 'voice',
      embeddings: 'embeddings',
    },
    ok: 'Working',
    unused: 'Not used yet',
    failing: (since: string) => `Failing since ${since}`,
    down: (since: string) => `Down since ${since}`,
    reason: {
      unreachable: 'Its server cannot be reached.',
      timeout: 'It does not answer in time.',
      key_refused: 'The key is not accepted.',
      limited: 'The vendor limits the requests of this account.',
      invalid_answer: 'Its answers cannot be used.',
      broken_off: 'Its answers break off in the middle.',
    },
    first: {
      llm: (ms: string) => `first word after ${ms} ms`,
      stt: (ms: string) => `words after ${ms} ms`,
      tts: (ms: string) => `first sound after ${ms} ms`,
      embeddings: (ms: string) => `answer after ${ms} ms`,
    },
  },
  {
    kind: {
      llm: 'modelo de lenguaje',
      stt: 'reconocimiento de voz',
      tts: 'voz',
      embeddings: 'embeddings',
    },
    ok: 'Funciona',
    unused: 'Aún sin uso',
    failing: (since: string) => `Con fallos desde ${since}`,
    down: (since: string) => `Fuera de servicio desde ${since}`,
    reason: {
      unreachable: 'No se puede conectar con su servidor.',
      timeout: 'No responde a tiempo.',
      key_refused: 'La clave no es aceptada.',
      limited: 'El servicio limita las peticiones de esta cuenta.',
      invalid_answer: 'Sus respuestas no se pueden usar.',
      broken_off: 'Sus respuestas se cortan a la mitad.',
    },
    first: {
      llm: (ms: string) => `primera palabra a los ${ms} ms`,
      stt: (ms: string) => `texto a los ${ms} ms`,
      tts: (ms: string) => `primer sonido a los ${ms} ms`,
      embeddings: (ms: string) => `respuesta a los ${ms} ms`,
    },
  },
)

// Texts of the outage banner.
import { texts } from '../i18n/texts.ts'

export const incidentBannerTexts = texts(
  {
    title: (name: string, kind: string) => `${name} (${kind}) está fora do ar`,
    since: (time: string) => `Desde ${time}.`,
    instead: (name: string) => `Enquanto isso, as chamadas continuam com ${name}.`,
    goesOn: 'As chamadas continuam com o próximo provedor de cada agente.',
    embedded: {
      llm: 'Enquanto isso, o agente anota recados.',
      stt: 'Enquanto isso, o reconhecimento integrado ouve as chamadas.',
      tts: 'Enquanto isso, a voz integrada fala.',
      embeddings: 'Enquanto isso, a busca é por palavras.',
    },
    open: 'Ver provedores',
    dismiss: 'Dispensar este aviso',
  },
  {
    title: (name: string, kind: string) => `${name} (${kind}) is down`,
    since: (time: string) => `Since ${time}.`,
    instead: (name: string) => `Meanwhile calls go on with ${name}.`,
    goesOn: 'Calls go on with the next provider of each agent.',
    embedded: {
      llm: 'Meanwhile the agent takes messages.',
      stt: 'Meanwhile the built-in recognition listens to calls.',
      tts: 'Meanwhile the built-in voice speaks.',
      embeddings: 'Meanwhile search is by words.',
    },
    open: 'See providers',
    dismiss: 'Dismiss this notice',
  },
  {
    title: (name: string, kind: string) => `${name} (${kind}) está fuera de servicio`,
    since: (time: string) => `Desde ${time}.`,
    instead: (name: string) => `Mientras tanto, las llamadas siguen con ${name}.`,
    goesOn: 'Las llamadas siguen con el siguiente proveedor de cada agente.',
    embedded: {
      llm: 'Mientras tanto, el agente toma recados.',
      stt: 'Mientras tanto, el reconocimiento integrado escucha las llamadas.',
      tts: 'Mientras tanto, habla la voz integrada.',
      embeddings: 'Mientras tanto, la búsqueda es por palabras.',
    },
    open: 'Ver proveedores',
    dismiss: 'Descartar este aviso',
  },
)

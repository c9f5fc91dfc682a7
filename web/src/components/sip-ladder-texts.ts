// Texts of the SIP ladder diagram.
import { texts } from '../i18n/texts.ts'

export const sipLadderTexts = texts(
  {
    title: 'Mensagens SIP',
    about:
      'As mensagens trocadas entre o Ramal e a operadora. Abra uma linha para ler a mensagem; senhas e chaves ficam ocultas.',
    none: 'Nenhuma mensagem SIP foi trocada nesta chamada.',
    others: 'outros',
    asText: 'Ver como texto',
    out: (to: string) => `enviado para ${to}`,
    in: (from: string) => `recebido de ${from}`,
    tone: {
      request: 'requisição',
      progress: 'em andamento',
      success: 'sucesso',
      challenge: 'pede autenticação',
      failure: 'erro',
    },
  },
  {
    title: 'SIP messages',
    about:
      'The messages exchanged between Ramal and the carrier. Open a line to read the message; passwords and keys are hidden.',
    none: 'No SIP messages were exchanged in this call.',
    others: 'others',
    asText: 'Show as text',
    out: (to: string) => `sent to ${to}`,
    in: (from: string) => `received from ${from}`,
    tone: {
      request: 'request',
      progress: 'in progress',
      success: 'success',
      challenge: 'authentication required',
      failure: 'error',
    },
  },
  {
    title: 'Mensajes SIP',
    about:
      'Los mensajes intercambiados entre Ramal y la operadora. Abra una línea para leer el mensaje; las contraseñas y claves están ocultas.',
    none: 'En esta llamada no se intercambiaron mensajes SIP.',
    others: 'otros',
    asText: 'Ver como texto',
    out: (to: string) => `enviado a ${to}`,
    in: (from: string) => `recibido de ${from}`,
    tone: {
      request: 'solicitud',
      progress: 'en curso',
      success: 'éxito',
      challenge: 'pide autenticación',
      failure: 'error',
    },
  },
)

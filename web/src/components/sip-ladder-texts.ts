// Words of the SIP ladder.
import { texts } from '../i18n/texts.ts'

export const sipLadderTexts = texts(
  {
    title: 'Mensagens SIP',
    about:
      'O que o Ramal e a operadora disseram um ao outro. Abra uma linha para ler a mensagem; senhas e chaves estão ocultas.',
    none: 'Esta chamada não trocou mensagens SIP.',
    others: 'outros',
    asText: 'Ver como texto',
    out: (to: string) => `enviado para ${to}`,
    in: (from: string) => `recebido de ${from}`,
    tone: {
      request: 'pedido',
      progress: 'em andamento',
      success: 'sucesso',
      challenge: 'pede senha',
      failure: 'recusa',
    },
  },
  {
    title: 'SIP messages',
    about:
      'What Ramal and the carrier said to each other. Open a line to read the message; passwords and keys are hidden.',
    none: 'No SIP messages were exchanged in this call.',
    others: 'others',
    asText: 'Show as text',
    out: (to: string) => `sent to ${to}`,
    in: (from: string) => `received from ${from}`,
    tone: {
      request: 'request',
      progress: 'in progress',
      success: 'success',
      challenge: 'asks for a password',
      failure: 'refusal',
    },
  },
  {
    title: 'Mensajes SIP',
    about:
      'Lo que Ramal y el operador se dijeron. Abra una línea para leer el mensaje; las contraseñas y claves están ocultas.',
    none: 'En esta llamada no se intercambiaron mensajes SIP.',
    others: 'otros',
    asText: 'Ver como texto',
    out: (to: string) => `enviado a ${to}`,
    in: (from: string) => `recibido de ${from}`,
    tone: {
      request: 'petición',
      progress: 'en curso',
      success: 'éxito',
      challenge: 'pide contraseña',
      failure: 'rechazo',
    },
  },
)

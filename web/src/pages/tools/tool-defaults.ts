// Default name and description of a new tool, if its type implies them.
import { texts } from '../../i18n/texts.ts'
import type { ToolType } from './tool-types.ts'

const defaultTexts = texts(
  {
    end_call: {
      name: 'Encerrar chamada',
      description: 'Encerra a chamada quando a conversa terminou e a pessoa se despediu.',
    },
    dtmf: {
      name: 'Pressionar teclas',
      description: 'Envia tons de teclas, por exemplo para navegar no menu de outro sistema.',
    },
    transfer_call: {
      name: 'Transferir chamada',
      description: 'Transfere a chamada quando a pessoa pede para falar com alguém.',
    },
    query: {
      name: 'Consultar conhecimento',
      description: 'Procura a resposta na base de conhecimento antes de responder.',
    },
    calendar: {
      name: 'Agenda',
      description: 'Consulta horários livres e marca compromissos. Pergunte antes o dia e o horário.',
    },
    spreadsheet: { name: 'Planilha', description: 'Consulta e registra dados na planilha.' },
    send_text: {
      name: 'Enviar mensagem',
      description: 'Envia uma mensagem de texto à pessoa quando ela pede algo por escrito.',
    },
    chat_workspace: { name: 'Avisar a equipe', description: 'Avisa a equipe quando a pessoa precisa de retorno.' },
  },
  {
    end_call: {
      name: 'End call',
      description: 'Ends the call once the conversation is over and the caller has said goodbye.',
    },
    dtmf: { name: 'Press keys', description: 'Sends key tones, for example to go through the menu of another system.' },
    transfer_call: {
      name: 'Transfer call',
      description: 'Transfers the call when the caller asks to speak to someone.',
    },
    query: { name: 'Search knowledge', description: 'Looks up the answer in the knowledge base before replying.' },
    calendar: {
      name: 'Calendar',
      description: 'Finds free slots and books appointments. Ask for the day and time first.',
    },
    spreadsheet: { name: 'Spreadsheet', description: 'Looks up and records data in the spreadsheet.' },
    send_text: {
      name: 'Send a message',
      description: 'Sends the caller a text message when they want something in writing.',
    },
    chat_workspace: { name: 'Notify the team', description: 'Tells the team when the caller needs to be called back.' },
  },
  {
    end_call: {
      name: 'Terminar llamada',
      description: 'Termina la llamada cuando la conversación acabó y la persona se despidió.',
    },
    dtmf: {
      name: 'Pulsar teclas',
      description: 'Envía tonos de teclas, por ejemplo para recorrer el menú de otro sistema.',
    },
    transfer_call: {
      name: 'Transferir llamada',
      description: 'Transfiere la llamada cuando la persona pide hablar con alguien.',
    },
    query: {
      name: 'Consultar conocimiento',
      description: 'Busca la respuesta en la base de conocimiento antes de responder.',
    },
    calendar: {
      name: 'Agenda',
      description: 'Consulta horas libres y reserva citas. Pregunte antes el día y la hora.',
    },
    spreadsheet: { name: 'Hoja de cálculo', description: 'Consulta y registra datos en la hoja de cálculo.' },
    send_text: {
      name: 'Enviar mensaje',
      description: 'Envía un mensaje de texto a la persona cuando pide algo por escrito.',
    },
    chat_workspace: {
      name: 'Avisar al equipo',
      description: 'Avisa al equipo cuando la persona necesita que le devuelvan la llamada.',
    },
  },
)

/** An HTTP request or an MCP server can do anything, so these have no defaults. */
export const toolDefaults = (type: ToolType, language: keyof typeof defaultTexts) =>
  (defaultTexts[language] as Partial<Record<ToolType, { name: string; description: string }>>)[type] ?? {}

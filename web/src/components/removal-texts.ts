// Texts of removals with undo, and of the confirmation by typing the name.
import { texts } from '../i18n/texts.ts'

export const removalTexts = texts(
  {
    removedOne: (name: string) => `Excluído: ${name}`,
    removedSome: (n: number) => `${n} itens excluídos`,
    undo: 'Desfazer',
    notRemoved: 'Não foi possível excluir',
    agentQuestion: (name: string) => `Excluir o agente “${name}”?`,
    agentTakes: 'Com o agente também são excluídos, para sempre:',
    calls: (n: string, isOne: boolean) => (isOne ? '1 chamada' : `${n} chamadas`),
    recordings: (n: string, isOne: boolean) => (isOne ? '1 gravação' : `${n} gravações`),
    conversations: (n: string, isOne: boolean) => (isOne ? '1 conversa' : `${n} conversas`),
    numbersStay: (n: string, isOne: boolean) =>
      isOne
        ? 'Um número fica sem agente e deixa de ser atendido.'
        : `${n} números ficam sem agente e deixam de ser atendidos.`,
    typeName: (name: string) => `Para confirmar, digite ${name}`,
    removeAgent: 'Excluir agente',
    removeForGood: 'Excluir para sempre',
    duplicate: 'Duplicar',
    duplicated: (name: string) => `Cópia criada: ${name}`,
    copyOf: (name: string) => `${name} (cópia)`,
    more: 'Mais ações',
    moreOf: (name: string) => `Mais ações: ${name}`,
    talk: 'Conversar',
  },
  {
    removedOne: (name: string) => `Deleted: ${name}`,
    removedSome: (n: number) => `${n} items deleted`,
    undo: 'Undo',
    notRemoved: 'Could not delete',
    agentQuestion: (name: string) => `Delete the agent “${name}”?`,
    agentTakes: 'These are deleted with the agent, for good:',
    calls: (n: string, isOne: boolean) => (isOne ? '1 call' : `${n} calls`),
    recordings: (n: string, isOne: boolean) => (isOne ? '1 recording' : `${n} recordings`),
    conversations: (n: string, isOne: boolean) => (isOne ? '1 conversation' : `${n} conversations`),
    numbersStay: (n: string, isOne: boolean) =>
      isOne
        ? 'One number is left without an agent and is no longer answered.'
        : `${n} numbers are left without an agent and are no longer answered.`,
    typeName: (name: string) => `Type ${name} to confirm`,
    removeAgent: 'Delete agent',
    removeForGood: 'Delete for good',
    duplicate: 'Duplicate',
    duplicated: (name: string) => `Copy created: ${name}`,
    copyOf: (name: string) => `${name} (copy)`,
    more: 'More actions',
    moreOf: (name: string) => `More actions: ${name}`,
    talk: 'Talk',
  },
  {
    removedOne: (name: string) => `Eliminado: ${name}`,
    removedSome: (n: number) => `${n} elementos eliminados`,
    undo: 'Deshacer',
    notRemoved: 'No se pudo eliminar',
    agentQuestion: (name: string) => `¿Eliminar el agente “${name}”?`,
    agentTakes: 'Con el agente también se eliminan, para siempre:',
    calls: (n: string, isOne: boolean) => (isOne ? '1 llamada' : `${n} llamadas`),
    recordings: (n: string, isOne: boolean) => (isOne ? '1 grabación' : `${n} grabaciones`),
    conversations: (n: string, isOne: boolean) => (isOne ? '1 conversación' : `${n} conversaciones`),
    numbersStay: (n: string, isOne: boolean) =>
      isOne
        ? 'Un número queda sin agente y deja de atenderse.'
        : `${n} números quedan sin agente y dejan de atenderse.`,
    typeName: (name: string) => `Para confirmar, escriba ${name}`,
    removeAgent: 'Eliminar agente',
    removeForGood: 'Eliminar para siempre',
    duplicate: 'Duplicar',
    duplicated: (name: string) => `Copia creada: ${name}`,
    copyOf: (name: string) => `${name} (copia)`,
    more: 'Más acciones',
    moreOf: (name: string) => `Más acciones: ${name}`,
    talk: 'Conversar',
  },
)

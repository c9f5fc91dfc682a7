// Words about who uses a thing.
import { texts } from '../i18n/texts.ts'

export const usageTexts = texts(
  {
    tools: 'Ferramentas',
    agents: 'Agentes',
    none: 'nenhum',
    give: 'Dar a um agente',
    link: 'Ligar',
    chooseAgent: 'Escolha um agente',
    inUse: (names: string) => `Em uso por: ${names}.`,
  },
  {
    tools: 'Tools',
    agents: 'Agents',
    none: 'none',
    give: 'Give it to an agent',
    link: 'Link',
    chooseAgent: 'Choose an agent',
    inUse: (names) => `In use by: ${names}.`,
  },
  {
    tools: 'Herramientas',
    agents: 'Agentes',
    none: 'ninguno',
    give: 'Dársela a un agente',
    link: 'Enlazar',
    chooseAgent: 'Elija un agente',
    inUse: (names) => `En uso por: ${names}.`,
  },
)

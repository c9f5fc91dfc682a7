// Texts of the “where it is used” section.
import { texts } from '../i18n/texts.ts'

export const usageTexts = texts(
  {
    tools: 'Ferramentas',
    agents: 'Agentes',
    none: 'nenhum',
    give: 'Disponibilizar para um agente',
    link: 'Vincular',
    chooseAgent: 'Escolha um agente',
    inUse: (names: string) => `Em uso por: ${names}.`,
  },
  {
    tools: 'Tools',
    agents: 'Agents',
    none: 'none',
    give: 'Make it available to an agent',
    link: 'Link',
    chooseAgent: 'Choose an agent',
    inUse: (names) => `In use by: ${names}.`,
  },
  {
    tools: 'Herramientas',
    agents: 'Agentes',
    none: 'ninguno',
    give: 'Poner a disposición de un agente',
    link: 'Vincular',
    chooseAgent: 'Elija un agente',
    inUse: (names) => `En uso por: ${names}.`,
  },
)

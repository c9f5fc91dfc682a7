// The whole set, with a name for each caller and the words of the television in each language.
import type { Dialogue, Language } from './dialogue.ts'
import { english, spanish } from './dialogues-en-es.ts'
import { portuguese } from './dialogues-pt.ts'
import { portugueseNumbers } from './dialogues-pt-numbers.ts'
import type { Scene } from './scenes.ts'

const names = [
  'Marta Clara Helena Beatriz Sofia Laura Alice Irene Teresa Carla Diana Elisa Fátima Gabriela Isabel Joana Lúcia',
  'Mônica Natália Olga Paula Raquel Sandra Tânia Úrsula Vera Yara Adriana Bruna Camila Débora Emília Flávia Gilda',
  'Heloísa Inês Júlia Lídia Marina Nair Olívia Patrícia Rita Sílvia Talita Valéria Zélia Amélia Bianca Cecília Dora',
  'Eva Filipa Glória Hilda Iara Jussara Leila Mirela Noemi Odete Penélope Regina Selma Telma Vanessa Wilma Alba Berta',
  'Cora Dalva Elza Fabiana Graça Iolanda Jordana Karina Lorena Magda Neusa Rosana Sueli Tereza Viviane Zuleica Anita',
  'Antônia Benedita Catarina Denise Estela Francisca Geralda Henriqueta Ivone Josefa Letícia Madalena Nanci Otília',
]
  .join(' ')
  .split(' ')

const all: readonly (readonly [Language, readonly Scene[]])[] = [
  ['pt-BR', [...portuguese, ...portugueseNumbers]],
  ['en-US', english],
  ['es-ES', spanish],
]
export const dialogues: readonly Dialogue[] = all
  .flatMap(([language, scenes]) => scenes.map((scene) => ({ ...scene, language })))
  .map((scene, i) => ({ ...scene, name: names[i] as string }))

/** Another voice in the room, in the caller's language. */
export const television: Readonly<Record<Language, { voice: string; text: string }>> = {
  'pt-BR': {
    voice: 'pt-santa',
    text: 'O governo anunciou hoje novas medidas para a economia. Segundo o ministro, os juros devem cair até o fim do ano. No esporte, o campeonato chega à última rodada com quatro times na disputa pelo título. E a previsão do tempo para o fim de semana é de sol na maior parte do país, com chuva no litoral.',
  },
  'en-US': {
    voice: 'en-fenrir',
    text: 'The government announced new measures for the economy today. According to the minister, rates should fall before the end of the year. In sport, the championship reaches its last round with four teams in the running. And the weekend will be sunny in most of the country, with rain on the coast.',
  },
  'es-ES': {
    voice: 'es-santa',
    text: 'El gobierno anunció hoy nuevas medidas para la economía. Según el ministro, los tipos de interés bajarán antes de fin de año. En el deporte, el campeonato llega a su última jornada con cuatro equipos en la lucha por el título. Y el fin de semana será soleado en la mayor parte del país.',
  },
}

// Texts shown instead of a page that the member may not open.
import { texts } from '../i18n/texts.ts'

export const notPermittedTexts = texts(
  {
    noOrganization: 'Nenhuma organização',
    noOrganizationText: 'Você não é membro de nenhuma organização. Peça um convite a quem administra uma.',
    notPermitted: 'Acesso não permitido',
    notPermittedText: 'Seu papel nesta organização não permite abrir esta página.',
  },
  {
    noOrganization: 'No organization',
    noOrganizationText: 'You are not a member of any organization. Ask an administrator of one for an invitation.',
    notPermitted: 'Not permitted',
    notPermittedText: 'Your role in this organization does not let you open this page.',
  },
  {
    noOrganization: 'Ninguna organización',
    noOrganizationText: 'No es miembro de ninguna organización. Pida una invitación a quien administre una.',
    notPermitted: 'Acceso no permitido',
    notPermittedText: 'Su rol en esta organización no permite abrir esta página.',
  },
)

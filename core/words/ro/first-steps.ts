import type { firstStepWords as english } from '../en/first-steps.ts'
import type { Translation } from '../say.ts'

export const firstStepWords = {
  setUpTitle: 'Configurează organizația',
  setUpLead: 'Câteva date și poți începe.',
  yourName: 'Numele tău',
  yourNameHint: 'Îl văd colegii și șoferii lângă ce faci în aplicație.',
  organisationName: 'Numele organizației',
  organisationNameHint: 'Clienții îl văd pe pagina de urmărire și în mesaje.',
  setUpLater: 'Poți schimba totul mai târziu, în Setări. Sumele nu se convertesc în altă monedă.',
  setUpSave: 'Continuă',
  firstSteps: 'Primii pași',
  stepsTaken: '{done} din {all}',
  stepTaken: '{step} (gata)',
  step_hub: 'Adaugă un depozit',
  step_team: 'Creează o echipă',
  step_driver: 'Adaugă un șofer',
  step_invited: 'Invită șoferul',
  step_task: 'Creează o comandă',
  step_assigned: 'Atribuie comanda',
  step_delivered: 'Finalizează comanda',
  why_hub: 'Locul din care pleacă șoferii.',
  why_team: 'Șoferii lucrează în echipe, iar o echipă pleacă din depozitul ei.',
  why_driver: 'Ajung un nume și un număr de telefon.',
  why_invited: 'Șoferul deschide aplicația cu un link sau un cod QR.',
  why_task: 'O adresă este de ajuns; restul este opțional.',
  why_assigned: 'Alege șoferul care o preia.',
  why_delivered: 'Șoferul o pornește și o finalizează în aplicație, iar tu urmărești aici.',
  allStepsTaken: 'Prima comandă a fost finalizată. Totul este pregătit.',
  hideFirstSteps: 'Ascunde primii pași',
  onlyHere: 'Se deschide doar pe acest calculator',
  onlyInNetwork: 'Se deschide doar în rețeaua ta',
  linkOnlyHere:
    'Linkul se deschide doar pe acest calculator. Pentru a-l folosi în altă parte, setează WAYBILL_PUBLIC_URL la o adresă la care ajung și alții și repornește Waybill.',
  linkOnlyInNetwork:
    'Linkul se deschide doar în rețeaua ta. Pentru a-l folosi în altă parte, setează WAYBILL_PUBLIC_URL la o adresă publică și repornește Waybill.',
  linksOnlyHere:
    'Linkurile din mesaje se deschid doar pe acest calculator. Pentru a le folosi în altă parte, setează WAYBILL_PUBLIC_URL la o adresă la care ajung și alții și repornește Waybill.',
  linksOnlyInNetwork:
    'Linkurile din mesaje se deschid doar în rețeaua ta. Pentru a le folosi în altă parte, setează WAYBILL_PUBLIC_URL la o adresă publică și repornește Waybill.',
  hubAddressHint: 'Strada, numărul și localitatea sau coordonate de pe o hartă',
  hubApproximate: 'Aproximativ: s-a găsit doar strada sau localitatea',
  hubApproximateHint: 'S-a găsit doar strada sau localitatea. Lipește coordonatele exacte de pe o hartă.',
  newTeamHint: 'Fiecare șofer face parte dintr-o echipă. Aceasta se creează odată cu șoferul.',
  firstTeamName: 'Echipa 1',
} as const satisfies Translation<typeof english>

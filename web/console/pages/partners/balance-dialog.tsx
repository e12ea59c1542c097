import type { Partner } from '../../../api/data.ts'

export default function BalanceDialog(_: { partner: Partner; onClose: () => void }) {
  return null
}

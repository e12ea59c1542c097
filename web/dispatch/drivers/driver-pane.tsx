import { useDispatch } from '../dispatch.tsx'

export function DriverPane() {
  const { drivers } = useDispatch()
  return (
    <ul className="overflow-y-auto">
      {drivers.map((driver) => (
        <li key={driver.id}>{driver.name}</li>
      ))}
    </ul>
  )
}

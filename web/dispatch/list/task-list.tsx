import { useDispatch } from '../dispatch.tsx'

export function TaskList() {
  const { tasks } = useDispatch()
  return (
    <ul className="overflow-y-auto">
      {tasks.slice(0, 100).map((task) => (
        <li key={task.id}>{task.awb}</li>
      ))}
    </ul>
  )
}

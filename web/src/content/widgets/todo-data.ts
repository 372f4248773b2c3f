import { type Contribution, type Fields, isFields, isIndex, nextIndex } from './widget.ts';

export interface Task {
  /** Identifies the task: `INDEX,canned` of the definition, or `INDEX,USER_ID`. */
  readonly key: string;
  readonly text: string;
  readonly description: string;
  readonly isDone: boolean;
}

export interface TodoList {
  /** Empty if the author gave none. */
  readonly title: string;
  readonly tasks: readonly Task[];
}

interface State {
  title: string;
  readonly tasks: Map<string, Task>;
}

/** The state of a to-do list after all contributions. */
export function todoListOf(definition: Fields, contributions: readonly Contribution[], authorId: number): TodoList {
  const { task_list_title: title, tasks } = definition;
  const state: State = { title: typeof title === 'string' ? title : '', tasks: new Map() };
  const first: readonly unknown[] = Array.isArray(tasks) ? tasks : [];
  for (const [index, task] of first.entries()) if (isFields(task)) addTask(state, `${index},canned`, task);
  for (const { senderId, data } of contributions) {
    switch (data.type) {
      case 'new_task':
        if (isIndex(data.key)) addTask(state, `${data.key},${senderId}`, data);
        break;
      case 'strike':
        strike(state, data.key);
        break;
      case 'new_task_list_title':
        if (senderId === authorId && typeof data.title === 'string') state.title = data.title;
    }
  }
  return { title: state.title, tasks: [...state.tasks.values()] };
}

/** Two tasks with the same text are one. */
function addTask({ tasks }: State, key: string, { task, desc, completed }: Fields): void {
  if (typeof task !== 'string' || tasks.values().some(({ text }) => text === task)) return;
  tasks.set(key, { key, text: task, description: typeof desc === 'string' ? desc : '', isDone: completed === true });
}

/** Each press changes the state. It does not matter who pressed. */
function strike({ tasks }: State, key: unknown): void {
  const task = typeof key === 'string' ? tasks.get(key) : undefined;
  if (task !== undefined) tasks.set(task.key, { ...task, isDone: !task.isDone });
}

export function strikeOf({ key }: Task): Fields {
  return { type: 'strike', key };
}

export function newTask({ tasks }: TodoList, text: string, description: string, ownId: number): Fields {
  const own = tasks.flatMap(({ key }) => (key.endsWith(`,${ownId}`) ? [Number(key.split(',')[0])] : []));
  return { type: 'new_task', key: nextIndex(own), task: text, desc: description, completed: false };
}

export function newTitle(title: string): Fields {
  return { type: 'new_task_list_title', title };
}

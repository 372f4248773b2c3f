import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './main.css';
import { start } from './shell/early.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element for the app');
createRoot(root).render(
  <StrictMode>
    <main>
      <h1>Heddle</h1>
      <p>{start.organizationName}</p>
    </main>
  </StrictMode>,
);

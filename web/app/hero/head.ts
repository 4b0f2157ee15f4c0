// Runs inline in the head, so that the first thing on screen has the reader's theme and language already.
import { applyPreferences } from '../preferences.js';

applyPreferences();

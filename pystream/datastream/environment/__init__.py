"""The parts of the execution environment: settings, dependencies and jobs."""
